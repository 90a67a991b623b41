import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { asText } from './resolve-intrinsics.ts';
import { resourcesOfType, settings, synthesiseStack } from './synthesised-stack.ts';

// Domains belong to one deployment, as the operator names them.
const { domain, linkDomains, ...shared } = settings;
const names = ['Production', 'Staging'];
const stages = names.map((stackName) => synthesiseStack({ ...shared, stackName }));

/** Of a metric, of a stage within its API, and of what AWS has. */
const noNames = new Set(['MetricName', 'StageName', 'DeploymentConfigName']);
const isName = (key: string) => /^(Name|.+Name|Id|.+Identifier)$/.test(key) && !noNames.has(key);

/** They have their names within a function, or name one. */
const ofFunctions = new Set(['AWS::Lambda::Alias', 'AWS::Lambda::EventSourceMapping']);
const joined = z.object({ 'Fn::Join': z.unknown() });
const isSpoken = (value: unknown) => typeof value === 'string' || joined.safeParse(value).success;

/** What a stack says of the names of its resources itself, where CloudFormation would make them. */
const namesIn = (stack: (typeof stages)[number]): string[] =>
  stack.resources
    .filter(({ Type }) => !ofFunctions.has(Type))
    .flatMap(({ Type, Properties }) =>
      Object.entries(Properties).flatMap(([key, value]) =>
        isName(key) && isSpoken(value) ? [`${Type} ${key} ${asText(stack, value)}`] : [],
      ),
    );

/** AWS has these names once in an account, or in the world. */
const inAllRegions = /^AWS::(?:CloudFront|CloudWatch::Dashboard|IAM|S3)\b/;

describe('two stages in one account and Region', () => {
  it("have separate metrics, so neither silences the other's alarms", () => {
    for (const [index, stack] of stages.entries()) {
      const services = resourcesOfType(stack, 'AWS::CloudWatch::Alarm')
        .filter(({ Properties }) => Properties['Namespace'] === 'TransactionalEmail')
        .map(({ Properties }) => Properties['Dimensions']);

      const own = expect.arrayContaining([{ Name: 'service', Value: names[index] }]);
      expect(services.length).toBeGreaterThan(0);
      expect(services).toEqual(services.map(() => own));
    }
  });

  it('share no resource name', () => {
    const [one, other] = stages.map((stack) => new Set(namesIn(stack)));

    expect([...(one ?? [])].filter((name) => other?.has(name))).toEqual([]);
    expect([...(one ?? [])]).toEqual(
      expect.arrayContaining([
        'AWS::CloudWatch::Dashboard DashboardName Production-{AWS::Region}',
        'AWS::ApiGatewayV2::Api Name Production',
      ]),
    );
  });

  it('export nothing by name', () => {
    const outputs = z.looseObject({
      Outputs: z.record(z.string(), z.looseObject({ Export: z.never().optional() })),
    });

    for (const { template } of stages) {
      expect(() => outputs.parse(template.toJSON())).not.toThrow();
    }
  });

  it("don't refer to each other's resources", () => {
    for (const [index, stack] of stages.entries()) {
      expect(JSON.stringify([...stack.templates.values()])).not.toContain(names[1 - index]);
    }
  });

  it('log and publish metrics under their own name', () => {
    for (const [index, { resources }] of stages.entries()) {
      const variables = resources.flatMap(({ Type, Properties }) =>
        Type === 'AWS::Lambda::Function' && 'Environment' in Properties
          ? [JSON.stringify(Properties['Environment'])]
          : [],
      );
      expect(variables.length).toBeGreaterThan(80);
      for (const one of variables)
        expect(one).toContain(`"POWERTOOLS_SERVICE_NAME":"${names[index]}"`);
    }
  });
});

it('a stage deployed to two Regions shares no globally unique name', () => {
  const names = stages.flatMap(namesIn).filter((name) => inAllRegions.test(name));

  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !name.includes('{AWS::Region}'))).toEqual([]);
});
