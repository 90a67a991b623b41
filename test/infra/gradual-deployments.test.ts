import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { functionCatalogue, shiftsGradually } from '../../infra/constructs/function-catalogue.ts';
import { permissionsIn } from './policy-statements.ts';
import { asText } from './resolve-intrinsics.ts';
import {
  functionPath,
  resourceAt,
  resourcesOfType,
  type SynthesisedResource,
  synthesiseStack,
  synthesiseWithSettings,
} from './synthesised-stack.ts';

const stack = synthesiseWithSettings();
const shifting = functionCatalogue.filter(shiftsGradually);
const scheduled = shifting.filter(
  ({ trigger, deliversWebhooks }) =>
    trigger === 'schedule' || (trigger === 'http-api' && deliversWebhooks),
);
const aliasPath = (name: string) => `${functionPath(name, 'Lambda')}/Aliaslive`;

/** Where each kind of resource names what it invokes. */
const invokedBy: Readonly<Record<string, (properties: Record<string, unknown>) => unknown>> = {
  'AWS::ApiGatewayV2::Integration': ({ IntegrationUri }) => IntegrationUri,
  'AWS::Lambda::EventSourceMapping': ({ FunctionName }) => FunctionName,
  'AWS::SNS::Subscription': ({ Endpoint }) => Endpoint,
  'AWS::Events::Rule': ({ Targets }) =>
    z.array(z.object({ Arn: z.unknown() })).parse(Targets)[0]?.Arn,
  'AWS::Scheduler::Schedule': ({ Target }) => z.looseObject({ Arn: z.unknown() }).parse(Target).Arn,
};

const arnParts = z.object({ 'Fn::Split': z.tuple([z.literal(':'), z.unknown()]) });

/** Of what invokes it: the function, or its alias. */
const invoked = Object.entries(invokedBy).flatMap(([type, targetOf]) =>
  resourcesOfType(stack, type).map(({ path, Properties }) => ({
    path,
    target: invokedIn(targetOf(Properties)),
  })),
);

/** An event source has the alias by its name, cut out of its ARN; all others have its ARN. */
function invokedIn(target: unknown): string {
  const cut = z
    .object({
      'Fn::Join': z.tuple([
        z.literal(''),
        z.tuple([
          z.object({ 'Fn::Select': z.tuple([z.literal(6), arnParts]) }),
          z.literal(':live'),
        ]),
      ]),
    })
    .safeParse(target);
  if (!cut.success) return asText(stack, target);
  return asText(stack, cut.data['Fn::Join'][1][0]['Fn::Select'][1]['Fn::Split'][1]);
}

it('gradual deployments are off by default: no function has a version, an alias or a deployment', () => {
  const types = synthesiseStack().resources.map(({ Type }) => Type);

  expect(types.filter((type) => /CodeDeploy|Lambda::(Alias|Version)/.test(type))).toEqual([]);
});

describe('with gradual deployments', () => {
  it.each(shifting)('$name is invoked only by its alias', ({ name }) => {
    const targets = invoked
      .map(({ target }) => target)
      .filter((target) => target.startsWith(functionPath(name, 'Lambda')));

    expect(targets.length).toBeGreaterThan(0);
    expect(new Set(targets)).toEqual(new Set([aliasPath(name)]));
  });

  it('the functions of other endpoints are unchanged', () => {
    const aliases = resourcesOfType(stack, 'AWS::Lambda::Alias').map(({ path }) => path);

    expect(aliases.toSorted()).toEqual(shifting.map(({ name }) => aliasPath(name)).toSorted());
    expect(shifting.length).toBeLessThan(functionCatalogue.length / 3);
  });

  it('the API may invoke an alias before a route leads to it, and the function while one may still lead there', () => {
    const permissions = resourcesOfType(stack, 'AWS::Lambda::Permission');
    const permittedAt = (path: string) =>
      permissions.find((permission) => permission.path === path);
    const called = shifting.filter(({ trigger }) => trigger === 'http-api');
    const integrations = resourcesOfType(stack, 'AWS::ApiGatewayV2::Integration');

    for (const { name } of called) {
      const ofAlias = permittedAt(`${aliasPath(name)}/HttpApi`);
      expect(asText(stack, ofAlias?.Properties['FunctionName'])).toBe(aliasPath(name));
      expect(permittedAt(`${functionPath(name, 'Lambda')}/HttpApi`)).toBeDefined();
      const integration = integrations.find(
        ({ Properties }) => asText(stack, Properties['IntegrationUri']) === aliasPath(name),
      );
      expect(integration?.['DependsOn']).toContain(ofAlias?.logicalId);
    }
    expect(called.length).toBeGreaterThan(10);
  });

  it('each schedule may invoke only the alias', () => {
    const roles = resourcesOfType(stack, 'AWS::IAM::Role').filter(({ path }) =>
      path.endsWith('Schedule/Role'),
    );

    const allowed = roles.flatMap((role) => permissionsIn(stack, role));

    expect(allowed.toSorted()).toEqual(
      scheduled.map(({ name }) => `lambda:InvokeFunction on ${aliasPath(name)}`).toSorted(),
    );
  });

  it("an alias's failed events go where its function's went", () => {
    const configs = resourcesOfType(stack, 'AWS::Lambda::EventInvokeConfig');

    // Theirs is the last part of an alias's ARN.
    const ofFailures = resourceAt(stack, 'ProviderEventPipeline/Failures');
    const aliases = configs.map((config) => {
      const cut = z.object({ 'Fn::Select': z.tuple([z.literal(7), arnParts]) });
      const { success, data } = cut.safeParse(config.Properties['Qualifier']);
      if (success) return asText(stack, data['Fn::Select'][1]['Fn::Split'][1]);
      return `${asText(stack, config.Properties['FunctionName'])}/Alias${config.Properties['Qualifier']}`;
    });
    const asynchronous = shifting.filter(({ trigger }) =>
      ['provider-events', 'event-rule', 'alarm-topic'].includes(trigger),
    );
    expect(aliases.toSorted()).toEqual(
      [...scheduled, ...asynchronous].map(({ name }) => aliasPath(name)).toSorted(),
    );
    expect(JSON.stringify(ofFailures.Properties['DestinationConfig'])).toContain(
      resourceAt(stack, 'ProviderEventPipeline/RetryQueue').logicalId,
    );
  });

  it.each(shifting)(
    '$name shifts by a tenth a minute, and back when an alarm goes off',
    (declaration) => {
      const group = resourceAt(stack, `${aliasPath(declaration.name)}/Deployments`);
      const { Alarms } = z
        .object({ Alarms: z.array(z.object({ Name: z.unknown() })), Enabled: z.literal(true) })
        .parse(group.Properties['AlarmConfiguration']);
      const own = `GradualDeployments/${declaration.name}-errors`;

      expect(Alarms.map(({ Name }) => asText(stack, Name))).toEqual([
        'Alarms/http-5xx',
        'Alarms/stored-item-unreadable',
        ...(declaration.trigger === 'http-api' && !scheduled.includes(declaration) ? [] : [own]),
      ]);
      expect(group.Properties).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaLinear10PercentEvery1Minute',
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'],
        },
      });
      expect(updatedBy(resourceAt(stack, aliasPath(declaration.name)))).toBe(group.logicalId);
    },
  );

  it("CodeDeploy may change only these functions' aliases", () => {
    const roles = resourcesOfType(stack, 'AWS::IAM::Role').filter(({ path }) =>
      path.endsWith('GradualDeployments/Role'),
    );

    const changes = roles
      .flatMap((role) => permissionsIn(stack, role))
      .filter((permission) => permission.startsWith('lambda:UpdateAlias'));

    expect(changes.toSorted()).toEqual(
      shifting
        .map(({ name }) => `lambda:UpdateAlias on ${functionPath(name, 'Lambda')}`)
        .toSorted(),
    );
    expect(roles.map(({ Properties }) => Properties['ManagedPolicyArns'])).toEqual(
      roles.map(() => undefined),
    );
  });

  it("each stack stays below CloudFormation's limit, with room for ten more endpoints", () => {
    const endpoint = 6 + 4;

    for (const [name, { Resources }] of stack.templates) {
      expect(Object.keys(Resources).length, name).toBeLessThanOrEqual(500 - 10 * endpoint);
    }
  });
});

const updatedBy = (alias: SynthesisedResource): string =>
  z
    .object({
      UpdatePolicy: z.object({
        CodeDeployLambdaAliasUpdate: z.looseObject({
          DeploymentGroupName: z.object({ Ref: z.string() }),
        }),
      }),
    })
    .parse(alias).UpdatePolicy.CodeDeployLambdaAliasUpdate.DeploymentGroupName.Ref;
