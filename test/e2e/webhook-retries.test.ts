import { createServer } from 'node:http';
import { expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { listen } from '../../infra/local/server.ts';
import { patience } from '../support/patience.ts';
import { useTwin } from '../support/twin.ts';

const stack = await useTwin();

/** A receiver on this machine that fails until it's mended. */
async function startReceiver() {
  const ids: string[] = [];
  const answer = { status: 502 };
  const server = createServer((request, response) => {
    ids.push(`${request.headers['webhook-id']}`);
    request.resume();
    response.writeHead(answer.status).end('<h1>Bad Gateway</h1>');
  });
  const { url, stop } = await listen(server, 0);
  onTestFinished(() => {
    server.closeAllConnections();
    return stop();
  });
  return { url: `${url}/hooks`, ids, answer };
}

const webhooks = '/api/v1/webhooks';

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${stack.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${stack.manageKey}`,
      'x-cron-secret': stack.cronSecret,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, json };
}

const deliveryShape = z.object({
  id: z.string(),
  messageId: z.string(),
  status: z.string(),
  attempts: z.array(z.object({ statusCode: z.int() })),
  nextAttemptAt: z.int().optional(),
});
const logShape = z.object({ data: z.array(deliveryShape) });
const endpointShape = z.looseObject({
  id: z.string(),
  maxAttempts: z.int(),
  paused: z.boolean(),
  waiting: z.looseObject({ count: z.int(), isExact: z.boolean() }),
});

/** An endpoint whose receiver failed `count` messages, which wait for their second attempt. */
async function createFailing(count: number) {
  const receiver = await startReceiver();
  const { json } = await call('POST', webhooks, { url: receiver.url });
  const path = `${webhooks}/${z.object({ id: z.string() }).parse(json).id}`;
  onTestFinished(async () => {
    await call('DELETE', path);
  });
  for (let test = 0; test < count; test += 1) await call('POST', `${path}/test`);
  const log = async () => logShape.parse((await call('GET', `${path}/deliveries`)).json).data;
  await vi.waitFor(async () => {
    expect((await log()).filter(({ attempts }) => attempts.length === 1)).toHaveLength(count);
  }, patience);
  return {
    ...receiver,
    path,
    log,
    read: async () => endpointShape.parse((await call('GET', path)).json),
  };
}

const runSchedule = () => call('GET', '/api/webhooks/queue/run');

it('a delivery that waits is attempted at once when it is retried, under its id', async () => {
  const { log, ids, answer } = await createFailing(1);
  const [waiting] = await log();
  answer.status = 204;

  const retried = await call('POST', `${webhooks}/deliveries/${waiting?.id}/retry`);

  expect(retried).toMatchObject({ status: 202, json: { id: waiting?.id, status: 'pending' } });
  await vi.waitFor(
    async () => expect(await log()).toMatchObject([{ status: 'delivered' }]),
    patience,
  );
  expect(await log()).toMatchObject([
    { id: waiting?.id, attempts: [{ statusCode: 502 }, { statusCode: 204 }] },
  ]);
  expect(ids).toEqual([waiting?.messageId, waiting?.messageId]);
  const again = await call('POST', `${webhooks}/deliveries/${waiting?.id}/retry`);
  expect(again).toMatchObject({ status: 409, json: { code: 'delivery_not_waiting' } });
});

it('an endpoint says what waits, and gets it all once it is mended', async () => {
  const { path, read, log, answer } = await createFailing(3);
  const [soonest] = (await log()).map(({ nextAttemptAt = 0 }) => nextAttemptAt).toSorted();

  expect((await read()).waiting).toMatchObject({
    count: 3,
    isExact: true,
    since: expect.any(Number),
    nextAttemptAt: soonest,
    exhaustedFrom: expect.any(Number),
  });
  const { json } = await call('GET', webhooks);
  expect(json).toMatchObject({ data: [{ waiting: { count: 3 }, health: { status: 'retrying' } }] });

  answer.status = 204;
  const retried = await call('POST', `${path}/retry-waiting`);
  const again = await call('POST', `${path}/retry-waiting`);
  await runSchedule();

  expect(retried).toMatchObject({ status: 202, json: { retried: 3, hasMore: false } });
  expect(again).toMatchObject({ status: 202, json: { retried: 0, hasMore: false } });
  await vi.waitFor(async () => {
    expect((await log()).map(({ status }) => status)).toEqual(Array(3).fill('delivered'));
  }, patience);
  expect((await read()).waiting).toEqual({ count: 0, isExact: true });
});

it('nothing is attempted at a paused endpoint, and what waited goes out when it is resumed', async () => {
  const { path, read, log, ids, answer } = await createFailing(2);
  await call('POST', `${path}/retry-waiting`);

  const paused = await call('PATCH', path, { paused: true });
  answer.status = 204;
  await runSchedule();

  expect(paused).toMatchObject({ status: 200, json: { paused: true, enabled: true } });
  expect(ids).toHaveLength(2);
  expect((await read()).waiting).toEqual({ count: 2, isExact: true, since: expect.any(Number) });
  const [waiting] = await log();
  const refusals = [
    await call('POST', `${path}/test`),
    await call('POST', `${path}/retry-waiting`),
    await call('POST', `${webhooks}/deliveries/${waiting?.id}/retry`),
  ];
  for (const refused of refusals) {
    expect(refused).toMatchObject({ status: 409, json: { code: 'webhook_paused' } });
  }

  await call('PATCH', path, { paused: false });
  await runSchedule();

  await vi.waitFor(async () => {
    expect((await log()).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
  }, patience);
  expect((await log()).every(({ attempts }) => attempts.length === 2)).toBe(true);
});

it('an endpoint makes as many attempts as it is told to, and in Resend’s form eight', async () => {
  const { path, read, log, answer } = await createFailing(1);
  expect((await read()).maxAttempts).toBe(5);

  const changed = await call('PATCH', path, { maxAttempts: 2 });
  await call('POST', `${path}/retry-waiting`);
  await runSchedule();

  expect(changed.json).toMatchObject({ maxAttempts: 2 });
  await vi.waitFor(async () => expect(await log()).toMatchObject([{ status: 'failed' }]), patience);
  answer.status = 204;
  expect((await call('PATCH', path, { maxAttempts: null })).json).toMatchObject({ maxAttempts: 5 });
  for (const maxAttempts of [0, 21, '3']) {
    expect(await call('PATCH', path, { maxAttempts })).toMatchObject({
      status: 400,
      json: { code: 'validation_failed', errors: [{ path: 'maxAttempts' }] },
    });
  }
  const body = { endpoint: 'https://example.com/', events: ['email.sent'] };
  const { id } = z
    .looseObject({ id: z.string() })
    .parse((await call('POST', '/resend/webhooks', body)).json);
  expect((await call('GET', `${webhooks}/${id}`)).json).toMatchObject({ maxAttempts: 8 });
});
