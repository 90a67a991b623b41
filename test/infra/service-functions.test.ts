import { describe, expect, it } from 'vitest';
import { routes } from '../../functions/routes.ts';
import { functionCatalogue } from '../../infra/constructs/function-catalogue.ts';
import { permissionsOf } from './policy-statements.ts';
import { functionPath, resourceAt, settings, synthesiseStack } from './synthesised-stack.ts';

const stack = synthesiseStack();
const functionNames = functionCatalogue.map(({ name }) => name);

/** The metrics are in the lines, which Lambda assigns INFO. */
const loggingAtInfo = {
  LogFormat: 'JSON',
  ApplicationLogLevel: 'INFO',
  SystemLogLevel: 'WARN',
};

const keyOf = (name: string) => `arn:aws:kms:eu-west-1:123456789012:key/${name}`;

describe('a function', () => {
  it.each(functionNames)('%s runs on Node 24, ARM, and keeps its own logs for a month', (name) => {
    const { Properties } = resourceAt(stack, functionPath(name, 'Lambda'));

    expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    expect(Properties['LoggingConfig']).toEqual({
      LogGroup: { Ref: resourceAt(stack, functionPath(name, 'Logs')).logicalId },
      ...loggingAtInfo,
    });
    expect(resourceAt(stack, functionPath(name, 'Logs')).Properties).toEqual({
      RetentionInDays: 30,
    });
  });

  it.each([
    ['DEBUG', { logLevel: 'DEBUG' }, { ApplicationLogLevel: 'DEBUG', SystemLogLevel: 'INFO' }],
    ['WARN', settings, { ApplicationLogLevel: 'INFO', SystemLogLevel: 'WARN' }],
  ])('with the log level %s keeps its metrics', (logLevel, context, expected) => {
    const other = synthesiseStack({ ...context });

    const { Properties } = resourceAt(other, functionPath('send-email', 'Lambda'));
    expect(Properties).toMatchObject({
      LoggingConfig: { LogFormat: 'JSON', ...expected },
      Environment: { Variables: { POWERTOOLS_LOG_LEVEL: logLevel } },
    });
  });

  // The schedule lets run-webhook-queue work for longer; by HTTP it ends by itself in time.
  const behindHttp = new Set(routes.map(({ functionName }) => functionName));
  behindHttp.delete('run-webhook-queue');

  it.each([
    ['another key is in use', { encryptionKeyArn: keyOf('b') }],
    ['the keys are AWS’s again', {}],
  ])('reads what a former key encrypted, and stores nothing under it, when %s', (_, inUse) => {
    const formerEncryptionKeyArns = [keyOf('a')];

    const without = permissionsOf(synthesiseStack(inUse), 'send-queued');
    const granted = permissionsOf(
      synthesiseStack({ ...inUse, formerEncryptionKeyArns }),
      'send-queued',
    );

    expect(granted.filter((one) => !without.includes(one))).toEqual([
      `kms:Decrypt on ${keyOf('a')}`,
    ]);
    expect(without.filter((one) => !granted.includes(one))).toEqual([]);
  });

  it.each([...behindHttp])('%s times out before HTTP API gives up after 30 s', (name) => {
    const { Properties } = resourceAt(stack, functionPath(name, 'Lambda'));

    expect(Properties['Timeout']).toBe(29);
  });
});
