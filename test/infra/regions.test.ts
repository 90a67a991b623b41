import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import {
  Code,
  Function as LambdaFunction,
  ParamsAndSecretsLayerVersion,
  ParamsAndSecretsVersions,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createApp, synthesiseWithSettings } from './synthesised-stack.ts';

/** Where SES has an endpoint (botocore 1.44.5 of 2026-11-17, `endpoints.json`, service `email`). */
const sesRegions = [
  ...['us-east-1', 'us-east-2', 'us-west-1', 'us-west-2', 'ca-central-1', 'ca-west-1'],
  ...['mx-central-1', 'sa-east-1', 'af-south-1', 'il-central-1', 'me-central-1', 'me-south-1'],
  ...['eu-central-1', 'eu-central-2', 'eu-north-1', 'eu-south-1', 'eu-south-2'],
  ...['eu-west-1', 'eu-west-2', 'eu-west-3', 'ap-east-2', 'ap-south-1', 'ap-south-2'],
  ...['ap-northeast-1', 'ap-northeast-2', 'ap-northeast-3', 'ap-southeast-1', 'ap-southeast-2'],
  ...['ap-southeast-3', 'ap-southeast-4', 'ap-southeast-5', 'ap-southeast-6', 'ap-southeast-7'],
  ...['us-gov-east-1', 'us-gov-west-1', 'eusc-de-east-1'],
];

const mappingsShape = z
  .record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown())))
  .default({});
const lookup = z.object({
  'Fn::FindInMap': z.tuple([z.string(), z.object({ Ref: z.literal('AWS::Region') }), z.string()]),
});

/** The values that the template looks up for its Region and has not for this one: each fails a deployment. */
function missingIn(region: string, template: Readonly<Record<string, unknown>>): string[] {
  const mappings = mappingsShape.parse(template['Mappings']);
  const find = (value: unknown): string[] => {
    if (typeof value !== 'object' || value === null) return [];
    const { success, data } = lookup.safeParse(value);
    if (!success) return Object.values(value).flatMap(find);
    const [map, , key] = data['Fn::FindInMap'];
    return mappings[map]?.[region]?.[key] === undefined ? [`${map}.${region}.${key}`] : [];
  };
  return find(template['Resources']);
}

const { templates } = synthesiseWithSettings();

describe.each(sesRegions)('in %s', (region) => {
  it('every mapping in the templates has an entry', () => {
    const missing = [...templates.values()].flatMap((template) => missingIn(region, template));

    expect(missing).toEqual([]);
  });
});

describe('the templates', () => {
  it('name no Region', () => {
    const text = JSON.stringify([...templates.values()].map(({ Resources }) => Resources));

    const named = sesRegions.filter((region) => text.includes(`"${region}"`));
    expect(named).toEqual([]);
  });

  it('miss an entry when CDK has no layer for a Region', () => {
    const stack = new Stack(createApp(), 'WithLayer');
    new LambdaFunction(stack, 'Function', {
      code: Code.fromInline('exports.handler = () => {}'),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      paramsAndSecrets: ParamsAndSecretsLayerVersion.fromVersion(ParamsAndSecretsVersions.V1_0_103),
    });
    const template = Template.fromStack(stack).toJSON();

    expect(missingIn('eu-west-1', template)).toEqual([]);
    expect(missingIn('il-central-1', template)).toEqual([expect.stringContaining('il-central-1')]);
  });
});
