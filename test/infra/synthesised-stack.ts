import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { readDeploymentConfig } from '../../infra/constructs/deployment-config.ts';
import { EmailServiceStack } from '../../infra/email-service-stack.ts';

const resourceShape = z.looseObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  Metadata: z.object({ 'aws:cdk:path': z.string() }),
});

const templateShape = z.object({ Resources: z.record(z.string(), resourceShape) });

export type SynthesisedResource = z.infer<typeof resourceShape> & {
  readonly logicalId: string;
  /** Construct path inside the stack, without the `Resource` that an L2 construct ends in. */
  readonly path: string;
};

export type SynthesisedStack = {
  readonly template: Template;
  readonly resources: readonly SynthesisedResource[];
};

/**
 * An app with this repository's feature flags, without bundling; and without CDK's own template
 * validation, whose engine takes longer to load than the rest to run: cdk-nag's test has it.
 */
export function createApp(
  context: Record<string, unknown> = {},
  { validatesTemplates = false } = {},
): App {
  return new App({
    builtinCloudFormationValidation: validatesTemplates,
    context: {
      ...cdkJson.context,
      'aws:cdk:bundling-stacks': [],
      'aws:cdk:enable-path-metadata': true,
      ...context,
    },
  });
}

/** The service's stack as `infra/app.ts` builds it, but for cdk-nag, which loads slowly: see its test. */
export function createStack(context: Record<string, unknown> = {}): EmailServiceStack {
  const app = createApp(context);
  return new EmailServiceStack(app, 'EmailService', readDeploymentConfig(app));
}

export function synthesiseStack(context: Record<string, unknown> = {}): SynthesisedStack {
  const template = Template.fromStack(createStack(context));
  const { Resources } = templateShape.parse(template.toJSON());
  const resources = Object.entries(Resources).map(([logicalId, resource]) => ({
    ...resource,
    logicalId,
    path: resource.Metadata['aws:cdk:path']
      .replace(/^EmailService\//, '')
      .replace(/\/Resource$/, ''),
  }));
  return { template, resources };
}

/** The one resource at a construct path. */
export function resourceAt(stack: SynthesisedStack, path: string): SynthesisedResource {
  const found = stack.resources.find((resource) => resource.path === path);
  if (found === undefined) throw new Error(`No resource at ${path}`);
  return found;
}

export function resourcesOfType(stack: SynthesisedStack, type: string): SynthesisedResource[] {
  return stack.resources.filter((resource) => resource.Type === type);
}
