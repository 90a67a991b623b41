import { expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { serveCron } from '#shared/endpoints/serve-secret';
import { startSecrets } from '../../../infra/local/secrets.ts';
import { captureOutput } from '../../support/captured-output.ts';
import { buildHttpEvent } from '../../support/http-event-builder.ts';
import { lambdaContext } from '../../support/lambda-context.ts';

it('a run knows whether the schedule or a caller with the cron secret started it', async () => {
  captureOutput();
  const secrets = await startSecrets({ 'secret-1': 'the cron secret' });
  onTestFinished(secrets.stop);
  for (const [name, value] of Object.entries({
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'secret-access-key',
    CRON_SECRET_ID: 'secret-1',
    TABLE_NAME: 'none',
  })) {
    vi.stubEnv(name, value);
  }
  const callers: unknown[] = [];
  const handler = serveCron(
    defineEndpoint(
      {
        route: 'GET /api/webhooks/queue/run',
        access: 'cron_secret',
        answers: { 200: { body: z.unknown(), description: 'It ran.' } },
        lambda: { tableActions: [] },
        words: { section: 'Webhooks', summary: 'Run', description: 'Runs.' },
      },
      async ({ caller }) => callers.push(caller),
    ),
  );
  const overHttp = (headers: Record<string, string>) => {
    const event = buildHttpEvent({ routeKey: 'GET /api/webhooks/queue/run', headers });
    return handler(event, lambdaContext());
  };

  await handler({ scheduledRun: true }, lambdaContext());
  const admitted = await overHttp({ 'x-cron-secret': 'the cron secret' });
  const refused = await overHttp({ 'x-cron-secret': 'another' });

  expect([admitted, refused]).toMatchObject([{ statusCode: 200 }, { statusCode: 401 }]);
  expect(callers).toEqual(['schedule', undefined]);
});
