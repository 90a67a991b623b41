import { hash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, NestedStack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as z from 'zod';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { functionCatalogue } from '../../infra/constructs/function-catalogue.ts';
import { EmailServiceStack } from '../../infra/email-service-stack.ts';
import {
  type SettingsProps,
  serviceSettings,
  settingWords,
} from '../../infra/settings/declaration.ts';
import { readDeployment } from '../../infra/settings/read-deployment.ts';
import { flattenTemplates } from './flatten-templates.ts';

const resourceShape = z.looseObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  Metadata: z.object({ 'aws:cdk:path': z.string() }),
});

const templateShape = z.looseObject({ Resources: z.record(z.string(), resourceShape) });

export type SynthesisedResource = z.infer<typeof resourceShape> & {
  readonly logicalId: string;
  /** Construct path inside the service's construct, without the `Resource` that an L2 construct ends in. */
  readonly path: string;
};

export type SynthesisedStack = {
  /** Of the service's own stack. */
  readonly template: Template;
  /** Of all stacks. What goes from one to another by parameter or output is replaced by what it stands for. */
  readonly resources: readonly SynthesisedResource[];
  /** Each stack as CloudFormation gets it: '' is the service's own. */
  readonly templates: ReadonlyMap<string, z.infer<typeof templateShape>>;
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
    stackTraces: false,
    builtinCloudFormationValidation: validatesTemplates,
    context: {
      ...cdkJson.context,
      'aws:cdk:bundling-stacks': [],
      'aws:cdk:enable-path-metadata': true,
      // Nobody deploys it: no copies of the code.
      'aws:cdk:disable-asset-staging': true,
      ...context,
    },
  });
}

/** The service's stack as `infra/app.ts` builds it, but for cdk-nag, which loads slowly: see its test. */
export function createStack(context: Record<string, unknown> = {}): EmailServiceStack {
  return createStackIn(createApp(context));
}

export function createStackIn(app: App): EmailServiceStack {
  const deployment = readDeployment(app, 'no-stages');
  return new EmailServiceStack(app, deployment.stackName, deployment.settings);
}

/** Every setting as its example has it, so that each differs from its default. */
export const settings: SettingsProps = Object.fromEntries(
  Object.entries(serviceSettings.shape).map(([name, schema]) => [
    name,
    settingWords.get(schema)?.example,
  ]),
);

/** With all these settings. */
export const synthesiseWithSettings = (): SynthesisedStack => synthesiseStack(settings);

/**
 * Values that `settings` hasn't: a log level that says more, a domain with nothing in front, and a former key where the
 * keys are AWS's again.
 */
export const otherSettings: SettingsProps = {
  logLevel: 'DEBUG',
  domain: settings.domain,
  doubtWindowSeconds: 1_200,
  formerEncryptionKeyArns: settings.formerEncryptionKeyArns,
};

/** With tenants of SES, and a doubt window as long as it may be. */
export const synthesiseWithTenants = (): SynthesisedStack =>
  synthesiseStack({ sesTenants: true, doubtWindowSeconds: 43_200 });

const synthesised = new Map<string, SynthesisedStack>();

/** Synthesised once for each context, as that takes seconds. */
export function synthesiseStack(context: Record<string, unknown> = {}): SynthesisedStack {
  const key = JSON.stringify(context);
  const known = synthesised.get(key) ?? readStack(templatesOf(context));
  synthesised.set(key, known);
  return known;
}

const templatesShape = z.object({
  own: templateShape,
  nested: z.record(z.string(), templateShape),
});
type Templates = z.infer<typeof templatesShape>;

/**
 * The workers of a run have their folder for temporary files in common: what one of them has synthesised serves all.
 */
function templatesOf(context: Record<string, unknown>): Templates {
  const file = join(tmpdir(), `synthesised-${hash('sha256', JSON.stringify(context))}.json`);
  if (!existsSync(file)) {
    const draft = `${file}-${process.pid}`;
    writeFileSync(draft, JSON.stringify(synthesise(context)));
    renameSync(draft, file);
  }
  return templatesShape.parse(JSON.parse(readFileSync(file, 'utf8')));
}

function synthesise(context: Record<string, unknown>) {
  const stack = createStack(context);
  const own: unknown = Template.fromStack(stack).toJSON();
  const inner = stack.node.findAll().filter((construct) => NestedStack.isNestedStack(construct));
  const nested = inner.map((one) => [one.node.id, Template.fromStack(one).toJSON()]);
  return { own, nested: Object.fromEntries(nested) };
}

function readStack({ own, nested }: Templates): SynthesisedStack {
  const templates = new Map(Object.entries(nested));
  const resources = Object.entries(flattenTemplates(own, templates)).map(
    ([logicalId, resource]) => {
      const parsed = resourceShape.parse(resource);
      return { ...parsed, logicalId, path: pathIn(parsed.Metadata['aws:cdk:path']) };
    },
  );
  return {
    template: Template.fromJSON(own),
    resources,
    templates: new Map([['', own], ...templates]),
  };
}

const pathIn = (path: string): string =>
  path.replace(/^EmailService\/(?:Default\/)?/, '').replace(/\/Resource$/, '');

/** The function may be in a nested stack. */
export function functionPath(functionName: string, part: 'Lambda' | 'Role' | 'Logs'): string {
  const stack = functionCatalogue.find(({ name }) => name === functionName)?.stack;
  return ['Functions', ...(stack ? [stack] : []), functionName, part].join('/');
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
