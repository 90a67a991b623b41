import { createServer } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createQueueWaker } from '#shared/webhook-deliveries/sqs-delivery-queue';
import { awsIdentity } from '../../../infra/local/environment.ts';
import { listen } from '../../../infra/local/server.ts';
import { captureOutput } from '../../support/captured-output.ts';
import { buildDelivery } from '../webhooks/webhook-builder.ts';

it("a silent SQS doesn't delay the send that wakes it", async () => {
  for (const [name, value] of Object.entries(awsIdentity({}))) vi.stubEnv(name, value);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  let calls = 0;
  const silent = createServer(() => {
    calls += 1;
  });
  const { url, stop } = await listen(silent, 0);
  onTestFinished(() => {
    silent.closeAllConnections();
    return stop();
  });
  vi.stubEnv('AWS_ENDPOINT_URL_SQS', url);
  const output = captureOutput();

  await createQueueWaker(`${url}/000000000000/webhooks`)([buildDelivery()]);

  // It is called twice, and then left alone: the schedule finds the row.
  expect(calls).toBe(2);
  expect(output.text()).toContain('webhook queue not woken');
}, 60_000);
