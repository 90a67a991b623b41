import * as z from 'zod';
import { asText } from './resolve-intrinsics.ts';
import {
  resourcesOfType,
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

export function statementsOf(policy: SynthesisedResource): z.infer<typeof statementShape>[] {
  return policyShape.parse(policy.Properties).PolicyDocument.Statement;
}

/** All a function's role allows, sorted, each as "action on resource". */
export function permissionsOf(stack: SynthesisedStack, functionName: string): string[] {
  return resourcesOfType(stack, 'AWS::IAM::Policy')
    .filter((policy) => policy.path.startsWith(`Functions/${functionName}/Role/`))
    .flatMap((policy) => statementsOf(policy))
    .filter((statement) => statement.Effect === 'Allow')
    .flatMap(({ Action, Resource }) =>
      Action.flatMap((action) => Resource.map((arn) => `${action} on ${asText(stack, arn)}`)),
    )
    .sort();
}
