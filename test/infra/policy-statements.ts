import * as z from 'zod';
import { asText } from './resolve-intrinsics.ts';
import {
  functionPath,
  resourceAt,
  type SynthesisedResource,
  type SynthesisedStack,
} from './synthesised-stack.ts';

const oneOrMany = z.preprocess(
  (value) => (Array.isArray(value) ? value : [value]),
  z.array(z.unknown()),
);

const statementShape = z.object({
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMany.pipe(z.array(z.string())),
  Resource: oneOrMany,
  Principal: z.unknown().optional(),
  Condition: z.unknown().optional(),
});

const policyShape = z.object({
  PolicyDocument: z.object({ Statement: z.array(statementShape) }),
});

const roleShape = z.object({ Policies: z.array(policyShape).default([]) });

export function statementsOf(policy: SynthesisedResource): z.infer<typeof statementShape>[] {
  return policyShape.parse(policy.Properties).PolicyDocument.Statement;
}

export function statementsOfRole(
  stack: SynthesisedStack,
  functionName: string,
): z.infer<typeof statementShape>[] {
  return statementsIn(resourceAt(stack, functionPath(functionName, 'Role')));
}

const statementsIn = ({ Properties }: SynthesisedResource) =>
  roleShape.parse(Properties).Policies.flatMap((policy) => policy.PolicyDocument.Statement);

/** All a function's role allows, sorted, each as "action on resource". */
export const permissionsOf = (stack: SynthesisedStack, functionName: string): string[] =>
  permissionsIn(stack, resourceAt(stack, functionPath(functionName, 'Role')));

/** The same of any role. */
export function permissionsIn(stack: SynthesisedStack, role: SynthesisedResource): string[] {
  return statementsIn(role)
    .filter((statement) => statement.Effect === 'Allow')
    .flatMap(({ Action, Resource }) =>
      Action.flatMap((action) => Resource.map((arn) => `${action} on ${asText(stack, arn)}`)),
    )
    .sort();
}
