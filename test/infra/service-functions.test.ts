import { describe, expect, it } from 'vitest';
import { settledAfterMs } from '#shared/audit/audit-store';
import { longestWorkSeconds } from '#shared/config/work-budget';
import { routes } from '../../functions/routes.ts';
import { functionCatalogue } from '../../infra/constructs/function-catalogue.ts';
import { permissionsOf } from './policy-statements.ts';
import {
  functionPath,
  otherSettings,
  resourceAt,
  settings,
  synthesiseStack,
  synthesiseWithSettings,
} from './synthesised-stack.ts';

const stack = synthesiseStack();
const withSettings = synthesiseWithSettings();
const withOtherSettings = synthesiseStack(otherSettings);
const functionNames = functionCatalogue.map(({ name }) => name);

/** The metrics are in the lines, which Lambda assigns INFO. */
const loggingAtInfo = {
  LogFormat: 'JSON',
  ApplicationLogLevel: 'INFO',
  SystemLogLevel: 'WARN',
};

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
    ['DEBUG', withOtherSettings, { ApplicationLogLevel: 'DEBUG', SystemLogLevel: 'INFO' }],
    ['WARN', withSettings, { ApplicationLogLevel: 'INFO', SystemLogLevel: 'WARN' }],
  ])('with the log level %s keeps its metrics', (logLevel, other, expected) => {
    const { Properties } = resourceAt(other, functionPath('send-email', 'Lambda'));
    expect(Properties).toMatchObject({
      LoggingConfig: { LogFormat: 'JSON', ...expected },
      Environment: { Variables: { POWERTOOLS_LOG_LEVEL: logLevel } },
    });
  });

  // The schedule lets retry-due-webhooks work for longer; by HTTP it ends by itself in time.
  const behindHttp = new Set(routes.map(({ functionName }) => functionName));
  behindHttp.delete('retry-due-webhooks');

  it.each([
    ['another key is in use', withSettings],
    ['the keys are AWS’s again', withOtherSettings],
  ])('can decrypt with a former KMS key but not encrypt with it, when %s', (_, other) => {
    const onKeys = permissionsOf(other, 'send-queued').filter((one) => one.startsWith('kms:'));

    const onFormer = onKeys.filter((one) => !one.endsWith(` on ${settings.encryptionKeyArn}`));
    expect(onFormer).toEqual([`kms:Decrypt on ${settings.formerEncryptionKeyArns}`]);
  });

  it('may loop through its own queue only for throttled emails', () => {
    const allowed = functionNames.filter(
      (name) =>
        resourceAt(stack, functionPath(name, 'Lambda')).Properties['RecursiveLoop'] === 'Allow',
    );

    expect(allowed).toEqual(['send-queued']);
  });

  it.each([...behindHttp])('%s times out before HTTP API gives up after 30 s', (name) => {
    const { Properties } = resourceAt(stack, functionPath(name, 'Lambda'));

    expect(Properties['Timeout']).toBe(29);
  });
});

describe('a function that may write to the audit', () => {
  // `declare-domain` isn't among these: it runs longer, but dates an entry right before it writes it.
  const writesNone = ['purge-organizations'];

  it('ends before its entries count as settled', () => {
    const longer = functionCatalogue.filter(
      ({ tableActions, writesAudit, timeoutSeconds }) =>
        (writesAudit || tableActions.includes('PutItem')) && timeoutSeconds > longestWorkSeconds,
    );

    expect(longer.map(({ name }) => name)).toEqual(writesNone);
    expect(settledAfterMs).toBeGreaterThan(longestWorkSeconds * 1_000);
  });
});
