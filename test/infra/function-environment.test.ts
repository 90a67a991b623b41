import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { longestAttemptMs } from '#shared/config/send-attempt-time';
import {
  functionCatalogue,
  httpTimeoutSeconds,
} from '../../infra/constructs/function-catalogue.ts';
import { createHandlerLoader, handlerOf } from '../../infra/local/gateway/functions.ts';
import { serviceVersion } from '../../infra/version.ts';
import { bundleFunction } from '../bench/bundle.ts';
import { asText } from './resolve-intrinsics.ts';
import {
  functionPath,
  resourceAt,
  settings,
  synthesiseStack,
  synthesiseWithSettings,
} from './synthesised-stack.ts';

const stack = synthesiseStack();
const functionNames = functionCatalogue.map(({ name }) => name);

const environmentShape = z.object({ Variables: z.record(z.string(), z.unknown()) });

function environmentOf(functionName: string, synthesised = stack): Record<string, string> {
  const { Properties } = resourceAt(synthesised, functionPath(functionName, 'Lambda'));
  const variables = Object.entries(environmentShape.parse(Properties['Environment']).Variables);
  return Object.fromEntries(variables.map(([name, value]) => [name, asText(synthesised, value)]));
}

const withSettings = synthesiseWithSettings();

/** As deployed: Lambda adds the region; what CloudFormation puts for a queue, or for the API, is its address. */
function deployedEnvironmentOf(functionName: string): Record<string, string> {
  const variables = Object.entries(environmentOf(functionName));
  const deployed = Object.fromEntries(
    variables.map(([name, value]) => [
      name,
      /Queue$|^HttpApi/.test(value) ? `https://aws.example.com/${value}` : value,
    ]),
  );
  return { AWS_REGION: 'eu-west-1', ...deployed };
}

/** For as long as the test runs. */
function useDeployedEnvironmentOf(functionName: string): void {
  for (const [variable, value] of Object.entries(deployedEnvironmentOf(functionName))) {
    vi.stubEnv(variable, value);
  }
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}

describe("a function's environment", () => {
  it.each(functionNames)('has everything that %s needs to start', async (name) => {
    useDeployedEnvironmentOf(name);

    const handler = await createHandlerLoader()(name);

    expect(handler).toBeTypeOf('function');
  });

  // One for each way into a function: the API, a topic, a queue, a page for people.
  it.each(['send-email', 'record-provider-event', 'deliver-webhooks', 'show-preferences'])(
    'has everything that %s needs, bundled into one file',
    async (name) => {
      useDeployedEnvironmentOf(name);
      const folder = mkdtempSync(join(tmpdir(), 'deployed-file-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));

      const { file } = await bundleFunction(name, folder);

      expect(handlerOf(await import(file), file)).toBeTypeOf('function');
    },
  );

  it("has the deployment's own address for notices, where set, only in send-notices", () => {
    const knowing = functionNames.filter(
      (name) => environmentOf(name, withSettings)['NOTICE_FROM_EMAIL'] === settings.noticeFromEmail,
    );

    expect(knowing).toEqual(['send-notices']);
    expect(environmentOf('send-notices')).not.toHaveProperty('NOTICE_FROM_EMAIL');
  });

  it('has the limits that the deployment sets for every organization', () => {
    expect(environmentOf('create-api-key', withSettings)).toMatchObject({
      ORGANIZATION_LIMITS: '{"apiKeys":30}',
    });
    expect(environmentOf('create-api-key')).not.toHaveProperty('ORGANIZATION_LIMITS');
  });

  it('for preferences says whether a bare address is accepted, and what is in front', () => {
    const configured = functionNames.filter(
      (name) => 'PROXIES_IN_FRONT' in environmentOf(name, withSettings),
    );

    expect(configured.toSorted()).toEqual([
      'create-passkey-session',
      'get-preferences',
      'request-sign-in',
      'save-preferences',
      'show-preferences',
      'show-unsubscribe',
      'unsubscribe',
      'update-preferences',
    ]);
    for (const name of configured) {
      expect(environmentOf(name, withSettings)).toMatchObject({
        PREFERENCES_BY_ADDRESS: 'false',
        PROXIES_IN_FRONT: '1',
      });
    }
  });

  it('puts metrics under one namespace and service', () => {
    const environments = functionNames.map((name) => environmentOf(name));

    for (const environment of environments) {
      expect(environment).toMatchObject({
        POWERTOOLS_METRICS_NAMESPACE: 'TransactionalEmail',
        POWERTOOLS_SERVICE_NAME: 'EmailService',
      });
    }
  });

  it('has the version, for logs and answers', () => {
    for (const name of functionNames) {
      expect(environmentOf(name)).toMatchObject({ SERVICE_VERSION: serviceVersion });
    }
  });

  it.each([
    ['lets a webhook go to the machine it comes from', 'WEBHOOK_ALLOW_LOOPBACK_HTTP'],
    ['gives a session of the console to a browser without TLS', 'PLAIN_HTTP_SESSIONS'],
  ])('has no variable that %s', (_what, variable) => {
    const variables = functionNames.flatMap((name) => Object.keys(environmentOf(name)));

    expect(variables).not.toContain(variable);
  });
});

describe('links in emails', () => {
  it('lead to the HTTP API when there is no custom domain', () => {
    const { PUBLIC_BASE_URL } = environmentOf('send-email');

    expect(PUBLIC_BASE_URL).toBe('HttpApi/Api');
  });

  it("lead to the deployment's domain", () => {
    const { PUBLIC_BASE_URL } = environmentOf('send-email', withSettings);

    expect(PUBLIC_BASE_URL).toBe(settings.publicBaseUrl);
  });
});

describe('a secret', () => {
  it('is read from Secrets Manager in the same Region', () => {
    const environments = functionNames
      .map((name) => environmentOf(name))
      .filter((environment) =>
        Object.keys(environment).some((name) => name.endsWith('_SECRET_ID')),
      );

    const urls = environments.map((environment) => environment['AWS_ENDPOINT_URL_SECRETS_MANAGER']);

    expect(new Set(urls)).toEqual(
      new Set(['https://secretsmanager.{AWS::Region}.{AWS::URLSuffix}']),
    );
  });

  it('is named only to the function that checks it', () => {
    const { CRON_SECRET_ID } = environmentOf('retry-due-webhooks');

    expect(CRON_SECRET_ID).toBe('Secrets/CronSecret');
  });
});

describe('the doubt window', () => {
  it('reaches the functions that send', () => {
    const { DOUBT_WINDOW_SECONDS } = environmentOf('send-email', withSettings);

    expect(DOUBT_WINDOW_SECONDS).toBe(String(settings.doubtWindowSeconds));
  });

  it("is longer than any request's attempt", () => {
    expect(httpTimeoutSeconds * 1_000).toBeLessThanOrEqual(longestAttemptMs);
  });
});

describe('the retention of sends', () => {
  it('reaches the functions that read it', () => {
    const configured = functionNames.filter(
      (name) => environmentOf(name, withSettings)['SEND_RETENTION_DAYS'] !== undefined,
    );
    expect(configured).toEqual(
      expect.arrayContaining(['send-email', 'unsubscribe', 'test-webhook']),
    );
    for (const name of configured) {
      expect(environmentOf(name, withSettings)['SEND_RETENTION_DAYS']).toBe(
        String(settings.sendRetentionDays),
      );
    }
  });
});

describe('the number of webhook attempts', () => {
  it.each([
    'deliver-webhooks',
    'retry-due-webhooks',
    'redeliver-failed-deliveries',
    'get-webhook',
    'list-webhooks',
    'create-webhook',
    'update-webhook',
    'rotate-webhook-secret',
  ])('reaches %s', (name) => {
    const { WEBHOOK_MAX_ATTEMPTS } = environmentOf(name, withSettings);

    expect(WEBHOOK_MAX_ATTEMPTS).toBe(String(settings.webhookMaxAttempts));
  });
});
