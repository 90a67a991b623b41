import { createServer } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { keptOrSeededOrganization } from '../../infra/local/seed.ts';
import { listen } from '../../infra/local/server.ts';
import { createApiCaller } from '../support/api-caller.ts';
import { patience } from '../support/patience.ts';
import { useTwin } from '../support/twin.ts';

const { baseUrl, manageKey, apiKey: realKey, inboxUrl } = await useTwin({ hasStream: true });
const call = createApiCaller(baseUrl, manageKey);

const createdShape = z.object({ id: z.string(), key: z.string(), test: z.boolean().optional() });
const answerShape = z.object({
  sendId: z.string(),
  status: z.string(),
  messageId: z.string().optional(),
  test: z.boolean().optional(),
  reused: z.boolean(),
});
const timelineShape = z.object({
  send: z.looseObject({ _id: z.string(), status: z.string(), test: z.boolean().optional() }),
  messages: z.array(z.unknown()),
  events: z.array(z.looseObject({ type: z.string(), reason: z.string().optional() })),
});
const listShape = z.object({
  data: z.array(z.looseObject({ _id: z.string(), test: z.boolean().optional() })),
  nextCursor: z.string().nullable(),
});

async function newKey(fields: object, key = manageKey) {
  const { status, json } = await call('POST', '/api/v1/api-keys', {
    key,
    body: { name: 'ci', ...fields },
  });
  expect(status).toBe(201);
  return createdShape.parse(json);
}
const testKey = await newKey({ test: true });
const readingKey = await newKey({ test: true, scopes: ['send_email', 'read_sends'] });

const email = { subject: 'Hi', content: 'Hi', htmlContent: '<p>Hi</p>' };

async function send(key: string, fields: object) {
  const { status, json } = await call('POST', '/api/v1/emails/send', {
    key,
    body: { ...email, ...fields },
  });
  expect(status, JSON.stringify(json)).toBe(200);
  return answerShape.parse(json);
}

async function timelineOf(sendId: string, key = manageKey) {
  return timelineShape.parse((await call('GET', `/api/v1/sends/${sendId}`, { key })).json);
}

/** Waits until the timeline has that many events. */
async function eventsOf(sendId: string, count: number, key = manageKey) {
  const events = await vi.waitUntil(async () => {
    const { events } = await timelineOf(sendId, key);
    return events.length >= count && events;
  }, patience);
  return events.map(({ type, reason }) => (reason === undefined ? type : `${type} ${reason}`));
}

const list = async (query: string, key = manageKey) =>
  listShape.parse((await call('GET', `/api/v1/sends${query}`, { key })).json).data;

const inbox = async () => JSON.stringify(await (await fetch(`${inboxUrl}/store`)).json());

describe('a test key', () => {
  it('is recognizable by its text', () => {
    expect(testKey.key).toMatch(/^esk_test_[a-z2-7]{32}_[a-z2-7]{40}$/);
    expect(testKey.test).toBe(true);
  });

  it('is refused when its text claims the other mode', async () => {
    const [, parts = ''] = testKey.key.split('esk_test_');
    const body = { ...email, to: 'ann@example.com' };

    const answer = await call('POST', '/api/v1/emails/send', { key: `esk_${parts}`, body });

    expect(answer.status).toBe(401);
  });

  it.each([
    ['GET', '/api/v1/contacts'],
    ['GET', '/api/v1/audit'],
    ['GET', '/api/v1/templates'],
    ['GET', '/api/v1/requests'],
    ['GET', '/api/v1/preferences?email=ann@example.com'],
    ['POST', '/api/v1/templates'],
    ['POST', '/api/unsubscribe'],
  ])('may not %s %s', async (method, path) => {
    const body = method === 'POST' ? { body: { email: 'ann@example.com' } } : {};

    const { status, json } = await call(method, path, { key: readingKey.key, ...body });

    expect([status, z.object({ code: z.string() }).parse(json).code]).toEqual([403, 'test_key']);
  });

  it("can't have scopes for real data", async () => {
    const scopes = ['manage_organization'];
    const created = await call('POST', '/api/v1/api-keys', {
      body: { name: 'ci', test: true, scopes },
    });
    const changed = await call('PATCH', `/api/v1/api-keys/${testKey.id}`, { body: { scopes } });

    expect([created.status, changed.status]).toEqual([400, 400]);
    expect(created.json).toMatchObject({
      errors: [{ path: 'scopes', message: 'must be send_email or read_sends for a test key' }],
    });
  });

  it('keeps its mode when it is rotated', async () => {
    const { id } = await newKey({ test: true });

    const { json } = await call('POST', `/api/v1/api-keys/${id}/rotate`, { body: {} });

    expect(createdShape.parse(json)).toMatchObject({ test: true });
    expect(createdShape.parse(json).key).toMatch(/^esk_test_/);
  });
});

describe('a test email', () => {
  it.each([
    ['ann@example.com', ['sent', 'delivered']],
    ['success@simulator.amazonses.com', ['sent', 'delivered']],
    ['bounce+a@simulator.amazonses.com', ['sent', 'bounced Permanent/General']],
    ['complaint@simulator.amazonses.com', ['sent', 'delivered', 'complained abuse']],
    ['suppressionlist@simulator.amazonses.com', ['sent', 'bounced provider_suppressed']],
    ['ooto@simulator.amazonses.com', ['sent', 'delivered', 'bounced Transient/General']],
    ['bounced@resend.dev', ['sent', 'bounced Permanent/General']],
    ['delivered@resend.dev', ['sent', 'delivered']],
  ])('to %s goes nowhere, and simulates its outcome each time: %j', async (to, expected) => {
    for (let time = 0; time < 2; time += 1) {
      const answer = await send(testKey.key, { to });

      expect(answer).toMatchObject({ status: 'sent', test: true, reused: false });
      expect(answer.messageId).toMatch(/^test-/);
      const events = await eventsOf(answer.sendId, expected.length);
      expect(events.toSorted()).toEqual(expected.toSorted());
      expect((await timelineOf(answer.sendId)).send.test).toBe(true);
    }
    expect(await inbox()).not.toContain(to);
  });

  it('suppresses nobody, and creates no contact', async () => {
    const to = 'complaint+only-tested@simulator.amazonses.com';
    const { sendId } = await send(testKey.key, { to });
    await eventsOf(sendId, 3);

    expect((await call('GET', `/api/v1/contacts/${to}`)).status).toBe(404);
    expect(JSON.stringify((await call('GET', '/api/v1/suppressions')).json)).not.toContain(to);
    expect(await send(realKey, { to })).toMatchObject({ status: 'sent' });
  });

  it('gives up its idempotency key to a test key, or to a manager who asks for it', async () => {
    const to = 'freed@example.com';
    const idempotencyKey = 'nightly-ci';
    const free = async (key: string, query = '') =>
      (await call('DELETE', `/api/v1/idempotency-keys/${idempotencyKey}${query}`, { key })).status;
    const real = await send(realKey, { to, idempotencyKey });
    const first = await send(testKey.key, { to, idempotencyKey });

    expect(await free(testKey.key)).toBe(204);
    const second = await send(testKey.key, { to, idempotencyKey });
    expect(second).toMatchObject({ reused: false });
    expect(second.sendId).not.toBe(first.sendId);
    expect(await free(manageKey, '?test=true')).toBe(204);
    expect(await send(testKey.key, { to, idempotencyKey })).toMatchObject({ reused: false });
    expect(await send(realKey, { to, idempotencyKey })).toMatchObject({
      reused: true,
      sendId: real.sendId,
    });
    expect(await free(realKey)).toBe(403);
  });

  it('appears in no list of real ones, and vice versa', async () => {
    const to = 'both@example.com';
    const tested = await send(readingKey.key, { to });
    const real = await send(realKey, { to });
    await eventsOf(tested.sendId, 2);
    const idsIn = async (query: string, key?: string) =>
      (await list(query, key)).map(({ _id }) => _id);

    expect(real.test).toBeUndefined();
    for (const query of ['?', `?to=${to}&`]) {
      const ofReal = await idsIn(`${query}limit=100`);
      const ofTest = await idsIn(`${query}limit=100&test=true`);
      expect(ofReal).toContain(real.sendId);
      expect(ofReal).not.toContain(tested.sendId);
      expect(ofTest).toContain(tested.sendId);
      expect(ofTest).not.toContain(real.sendId);
      expect(await idsIn(`${query}limit=100`, readingKey.key)).toEqual(ofTest);
      expect(await idsIn(`${query}limit=100&test=false`, readingKey.key)).toEqual(ofTest);
    }
    expect(JSON.stringify((await call('GET', `/api/v1/recipients/${to}`)).json)).not.toContain(
      tested.sendId,
    );
    const { status } = await call('GET', `/api/v1/sends/${real.sendId}`, { key: readingKey.key });
    expect(status).toBe(404);
  });

  it('never collides with a real one under the same idempotency key', async () => {
    const idempotencyKey = 'order-1';
    const to = 'ann@example.com';

    const tested = await send(testKey.key, { to, idempotencyKey });
    const real = await send(realKey, { to, idempotencyKey });
    const again = await send(testKey.key, { to, idempotencyKey });

    expect(real).toMatchObject({ status: 'sent', reused: false });
    expect(real.sendId).not.toBe(tested.sendId);
    expect(again).toEqual({ ...tested, reused: true });
  });

  it('needs no domain, and names the one it would have come from', async () => {
    const { sendId } = await send(testKey.key, {
      to: 'ann@example.com',
      from: 'Ann <ann@not-verified.example>',
    });

    expect((await timelineOf(sendId)).send['fromEmail']).toBe('ann@not-verified.example');
  });

  it("isn't counted in usage", async () => {
    const other = await keptOrSeededOrganization(undefined);
    const otherTestKey = await newKey({ test: true }, other.manageKey);
    const usage = async () => (await call('GET', '/api/v1/usage', { key: other.manageKey })).json;

    const { sendId } = await send(otherTestKey.key, { to: 'bounce@simulator.amazonses.com' });
    await eventsOf(sendId, 2, other.manageKey);
    await send(other.apiKey, { to: 'ann@example.com' });

    // Later events are counted later.
    const isCounted = { total: { sends: 1, events: { delivered: 1 } } };
    await vi.waitFor(async () => expect(await usage()).toMatchObject(isCounted), patience);
    expect(await usage()).toMatchObject({ total: { events: { sent: 1, bounced: 0 } } });
  });

  it("loses an erased person's address", async () => {
    const to = 'erased@example.com';
    const { sendId } = await send(testKey.key, { to });
    await eventsOf(sendId, 2);

    expect((await call('DELETE', `/api/v1/contacts/${to}`)).status).toBe(204);

    expect(JSON.stringify(await timelineOf(sendId))).not.toContain(to);
    expect(await list(`?to=${to}&test=true`)).toEqual([]);
  });

  it('is marked in webhooks', async () => {
    const got: unknown[] = [];
    const receiver = await listen(
      createServer((request, response) => {
        let text = '';
        request.on('data', (chunk) => {
          text += String(chunk);
        });
        request.on('end', () => {
          got.push(JSON.parse(text));
          response.end();
        });
      }),
      0,
    );
    const { json } = await call('POST', '/api/v1/webhooks', {
      body: { url: `${receiver.url}/hook`, eventTypes: ['email.sent', 'email.bounced'] },
    });
    const { sendId } = await send(testKey.key, { to: 'bounce@simulator.amazonses.com' });
    await vi.waitUntil(() => got.length >= 2, patience);
    await call('DELETE', `/api/v1/webhooks/${z.object({ id: z.string() }).parse(json).id}`);
    await receiver.stop();

    expect(got).toHaveLength(2);
    for (const message of got) expect(message).toMatchObject({ data: { sendId, test: true } });
  });
});
