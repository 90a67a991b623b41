import { createServer } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import { CallTooLate } from '#shared/email/call-deadline';
import { openTestEventQueue } from '#shared/email/sqs-test-events';
import { listen } from '../../../infra/local/server.ts';

/** A queue that fails at each request, some time after it came. */
async function openFailingQueue(passTime: () => void) {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    passTime();
    response.writeHead(500).end();
  });
  const { url, stop } = await listen(server, 0);
  onTestFinished(stop);
  vi.stubEnv('AWS_ENDPOINT_URL_SQS', url);
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  return { queueUrl: `${url}/test-events`, requests: () => requests };
}

it.each([
  ['tries again in its time', 1, 2],
  ['tries no more once its time is over: a takeover may have simulated the email', 1_000, 1],
])('a queue of test events %s', async (_what, takesMs, tries) => {
  let now = 1_750_000_000_000;
  const beginsBefore = now + 1_000;
  const { queueUrl, requests } = await openFailingQueue(() => {
    now += takesMs;
  });

  const published = openTestEventQueue(queueUrl, () => now)([{}], beginsBefore);

  await expect(published).rejects.toThrow(tries === 1 ? CallTooLate : undefined);
  expect(requests()).toBe(tries);
});
