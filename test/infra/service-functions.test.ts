import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  providerEventEnvironment,
  sendingEnvironment,
  tableEnvironment,
  tokenEnvironment,
} from '#shared/config/environment';
import { functionCatalogue } from '../../infra/constructs/function-catalogue.ts';
import { routes } from '../../infra/routes.ts';
import { asText } from './resolve-intrinsics.ts';
import { createStack, resourceAt, synthesiseStack } from './synthesised-stack.ts';

const stack = synthesiseStack();
const functionNames = functionCatalogue.map(({ name }) => name);

const environmentShape = z.object({ Variables: z.record(z.string(), z.unknown()) });

function environmentOf(functionName: string, synthesised = stack): Record<string, string> {
  const { Properties } = resourceAt(synthesised, `Functions/${functionName}/Lambda`);
  const variables = Object.entries(environmentShape.parse(Properties['Environment']).Variables);
  return Object.fromEntries(variables.map(([name, value]) => [name, asText(synthesised, value)]));
}

const mailLinkFunctions = [
  'get-preferences',
  'update-preferences',
  'show-unsubscribe',
  'unsubscribe',
  'show-preferences',
  'save-preferences',
  'track-click',
  'track-open',
];

describe('a function', () => {
  it.each(functionNames)('%s runs on Node 24, ARM, and keeps its own logs for a month', (name) => {
    const { Properties } = resourceAt(stack, `Functions/${name}/Lambda`);

    expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    expect(Properties['LoggingConfig']).toEqual({
      LogGroup: { Ref: resourceAt(stack, `Functions/${name}/Logs`).logicalId },
    });
    expect(resourceAt(stack, `Functions/${name}/Logs`).Properties).toEqual({ RetentionInDays: 30 });
  });

  it.each([...new Set(routes.map(({ functionName }) => functionName))])(
    '%s times out before HTTP API gives up after 30 s',
    (name) => {
      const { Properties } = resourceAt(stack, `Functions/${name}/Lambda`);

      expect(Properties['Timeout']).toBe(29);
    },
  );

  it.each([
    { name: 'send-email', schema: sendingEnvironment },
    { name: 'send-global-email', schema: sendingEnvironment },
    { name: 'get-send', schema: tableEnvironment },
    { name: 'record-provider-event', schema: providerEventEnvironment },
    ...mailLinkFunctions.map((name) => ({ name, schema: tokenEnvironment })),
  ])('$name gets the environment its handler parses', ({ name, schema }) => {
    const withOwnDomain = synthesiseStack({ publicBaseUrl: 'https://mail.example.com' });

    const parsed = schema.safeParse(environmentOf(name, withOwnDomain));

    expect(parsed.error).toBeUndefined();
    expect(parsed.data).toMatchObject({ TABLE_NAME: 'ServiceTable/Table' });
  });

  it('publishes metrics under one namespace and service', () => {
    const environments = functionNames.map((name) => environmentOf(name));

    for (const environment of environments) {
      expect(environment).toMatchObject({
        POWERTOOLS_METRICS_NAMESPACE: 'TransactionalEmail',
        POWERTOOLS_SERVICE_NAME: 'transactional-email',
      });
    }
  });
});

describe('the links in mails', () => {
  it('lead to the HTTP API when there is no domain of its own', () => {
    const { PUBLIC_BASE_URL } = environmentOf('send-email');

    expect(PUBLIC_BASE_URL).toBe('HttpApi/Api');
  });

  it('are signed with a key that the secrets extension reads', () => {
    const layers = mailLinkFunctions.map(
      (name) => resourceAt(stack, `Functions/${name}/Lambda`).Properties['Layers'],
    );

    for (const layer of layers) expect(JSON.stringify(layer)).toContain('Paramsandsecrets');
  });
});

describe('the doubt window', () => {
  it('reaches the functions that send', () => {
    const synthesised = synthesiseStack({ doubtWindowSeconds: '600' });

    const { DOUBT_WINDOW_SECONDS } = environmentOf('send-email', synthesised);
    expect(DOUBT_WINDOW_SECONDS).toBe('600');
  });

  it.each(['29', '5'])('of %s s is refused, as a send may run that long', (doubtWindowSeconds) => {
    const synthesise = () => createStack({ doubtWindowSeconds });

    expect(synthesise).toThrow(/must exceed the timeout of send-email \(29 s\)/);
  });
});
