import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { listen } from '../../infra/local/server.ts';
import { patience } from '../support/patience.ts';
import { useTwin } from '../support/twin.ts';

const stack = await useTwin();

type Message = { readonly headers: Record<string, string>; readonly body: string };

/** A receiver on this machine, whose answer a test may change. */
async function startReceiver(status = 204) {
  const messages: Message[] = [];
  const answer = { status };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const headers = Object.entries(request.headers).map(([name, value]) => [name, `${value}`]);
    messages.push({ headers: Object.fromEntries(headers), body });
    response.writeHead(answer.status).end(`answer ${answer.status}`);
  });
  const { url, stop } = await listen(server, 0);
  onTestFinished(() => {
    server.closeAllConnections();
    return stop();
  });
  return { url: `${url}/hooks`, messages, answer };
}

const webhooks = '/api/v1/webhooks';

type Call = { readonly body?: unknown; readonly key?: string };

async function call(method: string, path: string, { body, key }: Call = {}) {
  const { baseUrl, manageKey } = stack;
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key ?? manageKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, json };
}

const endpointShape = z.object({ id: z.string(), secret: z.string() });
const stateShape = z.object({ enabled: z.boolean() });
const deliveryShape = z.object({
  id: z.string(),
  messageId: z.string(),
  type: z.string(),
  status: z.string(),
  attempts: z.array(z.looseObject({})),
  redeliveredAs: z.string().optional(),
});
const logShape = z.object({ data: z.array(deliveryShape), nextCursor: z.string().nullable() });

/** An endpoint that is deleted after the test, so that it doesn't affect the next one. */
async function create(url: string, fields: object = {}) {
  const { status, json } = await call('POST', webhooks, { body: { url, ...fields } });
  expect(status).toBe(201);
  const endpoint = endpointShape.parse(json);
  onTestFinished(async () => {
    await call('DELETE', `${webhooks}/${endpoint.id}`);
  });
  return { ...endpoint, path: `${webhooks}/${endpoint.id}` };
}

const readLog = async (path: string, query = '') =>
  logShape.parse((await call('GET', `${path}/deliveries${query}`)).json);

/** Sends the endpoint a test message, and waits until its attempt is logged. */
async function testAndWait(path: string, status: string) {
  const { id } = deliveryShape.parse((await call('POST', `${path}/test`)).json);
  await vi.waitFor(async () => {
    const { data } = await readLog(path);
    expect(data.find((delivery) => delivery.id === id)?.status).toBe(status);
  }, patience);
  return id;
}

const send = (fields: object = {}) =>
  call('POST', '/api/v1/emails/send', {
    key: stack.apiKey,
    body: { to: 'ann@example.com', subject: 'Hi', content: 'Hello', ...fields },
  });

const sentShape = z.object({ sendId: z.string() });
const timelineShape = z.object({ events: z.array(z.object({ type: z.string() })) });

/** Sends an email, and waits for all of its events. */
async function sendAndWait() {
  const { sendId } = sentShape.parse((await send()).json);
  await vi.waitFor(async () => {
    const { json } = await call('GET', `/api/v1/sends/${sendId}`);
    const types = timelineShape.parse(json).events.map(({ type }) => type);
    expect(types).toContain('delivered');
  }, patience);
}

const typeOf = ({ body }: Message) => z.object({ type: z.string() }).parse(JSON.parse(body)).type;

describe('a webhook endpoint', () => {
  it("gets an email's events in messages that its secret verifies, and logs them", async () => {
    const { url, messages } = await startReceiver();
    const { path, secret } = await create(url, { eventTypes: ['email.sent', 'email.delivered'] });

    await send();

    await vi.waitFor(() => expect(messages).toHaveLength(2), patience);
    for (const { headers, body } of messages) new Webhook(secret).verify(body, headers);
    expect(messages.map(typeOf).toSorted()).toEqual(['email.delivered', 'email.sent']);
    await vi.waitFor(async () => {
      const { data } = await readLog(path, '?status=delivered');
      expect(data).toHaveLength(2);
      expect(data[0]?.attempts).toMatchObject([{ statusCode: 204, answer: '' }]);
    }, patience);
  });

  it('with a filter gets only the emails that match, with their tags and metadata', async () => {
    const { url, messages } = await startReceiver();
    const { path, secret } = await create(url, { tags: ['kind:reset', 'kind:welcome'] });
    const metadata = { order: { id: 1_042 }, member: 'ann@example.com' };

    await send();
    await send({ tags: { kind: 'receipt' } });
    await call('POST', '/api/v1/suppressions', { body: { email: 'filter@example.com' } });
    await send({ tags: { kind: 'reset', env: 'prod' }, metadata });
    await vi.waitFor(() => expect(messages).toHaveLength(2), patience);
    await call('PATCH', path, { body: { tags: ['kind:receipt'], eventTypes: ['email.sent'] } });
    await send({ tags: { kind: 'reset' } });
    await send({ tags: { kind: 'receipt' } });

    await vi.waitFor(() => expect(messages).toHaveLength(3), patience);
    const verified = messages.map(({ headers, body }) => new Webhook(secret).verify(body, headers));
    const tags = { kind: 'reset', env: 'prod' };
    expect(verified.slice(0, 2)).toMatchObject([
      { data: { tags, metadata } },
      { data: { tags, metadata } },
    ]);
    expect(verified[2]).toMatchObject({ type: 'email.sent', data: { tags: { kind: 'receipt' } } });
    expect(JSON.stringify(verified[2])).not.toContain('metadata');
  });

  it('gets a suppression when it is added and removed, and the email that it blocks', async () => {
    const { url, messages } = await startReceiver();
    const eventTypes = ['suppression.added', 'suppression.removed', 'email.suppressed'];
    const { secret } = await create(url, { eventTypes });
    const email = 'away@example.com';

    await call('POST', '/api/v1/suppressions', { body: { email } });
    await call('POST', '/api/v1/suppressions', { body: { email } });
    const { json } = await send({ to: email });
    await call('DELETE', `/api/v1/suppressions/${email}`);

    await vi.waitFor(() => expect(messages).toHaveLength(3), patience);
    const verified = messages.map(({ headers, body }) => new Webhook(secret).verify(body, headers));
    const ids = messages.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(3);
    expect(verified).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          type: 'suppression.added',
          data: expect.objectContaining({ email, reason: 'manual' }),
        }),
        expect.objectContaining({
          type: 'email.suppressed',
          data: expect.objectContaining({
            ...sentShape.parse(json),
            to: email,
            suppressedRecipients: [{ email, reason: 'manual' }],
          }),
        }),
        expect.objectContaining({
          type: 'suppression.removed',
          data: expect.objectContaining({ email, reason: 'manual' }),
        }),
      ]),
    );
  });

  it('shows its secret only when it is created', async () => {
    const { url } = await startReceiver();
    const { path, secret } = await create(url, { description: 'orders' });

    const shown = [await call('GET', path), await call('GET', webhooks)];

    expect(secret).toMatch(/^whsec_/);
    expect(shown[0]?.json).toMatchObject({ url, description: 'orders', enabled: true });
    expect(JSON.stringify(shown)).not.toContain('whsec_');
  });

  it('can be tested with a message of its own', async () => {
    const { url, messages } = await startReceiver();
    const { path, secret } = await create(url, { eventTypes: ['email.bounced'] });

    await testAndWait(path, 'delivered');

    const [message] = messages;
    expect(message && typeOf(message)).toBe('webhook.test');
    expect(new Webhook(secret).verify(message?.body ?? '', message?.headers ?? {})).toBeDefined();
  });

  it('signs with both secrets after a rotation, and with the new one when asked', async () => {
    const { url, messages } = await startReceiver();
    const { path, secret: first } = await create(url);

    const rotated = endpointShape.parse((await call('POST', `${path}/rotate-secret`)).json);
    await testAndWait(path, 'delivered');
    const body = { overlapHours: 0 };
    const last = endpointShape.parse((await call('POST', `${path}/rotate-secret`, { body })).json);
    await testAndWait(path, 'delivered');

    const verifies = (secret: string, message: Message | undefined) => {
      try {
        return (
          new Webhook(secret).verify(message?.body ?? '', message?.headers ?? {}) !== undefined
        );
      } catch {
        return false;
      }
    };
    const secrets = [first, rotated.secret, last.secret];
    expect(secrets.map((secret) => verifies(secret, messages[0]))).toEqual([true, true, false]);
    expect(secrets.map((secret) => verifies(secret, messages[1]))).toEqual([false, false, true]);
  });

  it('explains why a signature fails when its receiver has parsed the body', async () => {
    const { url, messages } = await startReceiver();
    const { path } = await create(url);
    await testAndWait(path, 'delivered');
    const { body: raw = '', headers = {} } = messages[0] ?? {};
    const verify = async (payload: string) =>
      (await call('POST', `${path}/verify`, { body: { payload, headers } })).json;
    const { data, timestamp, type } = z.record(z.string(), z.unknown()).parse(JSON.parse(raw));

    expect(await verify(raw)).toEqual({ fits: true, causes: [] });
    expect(await verify(JSON.stringify({ data, timestamp, type }))).toMatchObject({
      fits: false,
      causes: [{ code: 'body_reprinted' }],
    });
    expect(await verify('{}')).toMatchObject({ causes: [{ code: 'body_changed' }] });
  });

  it('gets nothing while it is disabled, and is disabled by its own 410', async () => {
    const { url, messages, answer } = await startReceiver(410);
    const { path } = await create(url);
    await testAndWait(path, 'failed');

    const gone = await vi.waitUntil(async () => {
      const { json } = await call('GET', path);
      return stateShape.parse(json).enabled ? undefined : json;
    }, patience);
    const refused = await call('POST', `${path}/test`);
    await sendAndWait();
    answer.status = 204;
    const enabled = await call('PATCH', path, { body: { enabled: true } });
    await testAndWait(path, 'delivered');

    expect(gone).toMatchObject({ disabled: { reason: 'gone' } });
    expect(refused).toMatchObject({ status: 409, json: { code: 'webhook_disabled' } });
    expect(enabled.json).toMatchObject({ enabled: true });
    expect(messages.map(typeOf)).toEqual(['webhook.test', 'webhook.test']);
  });

  it('is gone when it is deleted', async () => {
    const { url } = await startReceiver();
    const { path } = await create(url);

    const statuses = [
      (await call('DELETE', path)).status,
      (await call('DELETE', path)).status,
      (await call('GET', path)).status,
    ];

    expect(statuses).toEqual([204, 404, 404]);
  });

  it('loses none of several concurrent changes', async () => {
    const { url } = await startReceiver();
    const { path } = await create(url);
    const changes = [{ description: 'orders' }, { eventTypes: ['email.sent'] }, { enabled: false }];

    const answers = await Promise.all(changes.map((body) => call('PATCH', path, { body })));

    const { json } = await call('GET', path);
    for (const [index, change] of changes.entries()) {
      if (answers[index]?.status === 200) expect(json).toMatchObject(change);
      else expect(answers[index]).toMatchObject({ json: { code: 'concurrent_change' } });
    }
  });
});

describe('a failed delivery', () => {
  it('is redelivered alone, and then with all that are left, each once, even to a disabled endpoint', async () => {
    const { url, messages, answer } = await startReceiver(410);
    const { path } = await create(url);
    const failed: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      await call('PATCH', path, { body: { enabled: true } });
      failed.push(await testAndWait(path, 'failed'));
    }
    answer.status = 200;

    const one = await call('POST', `${webhooks}/deliveries/${failed[0]}/redeliver`);
    const body = { since: new Date(0).toISOString() };
    const rest = await call('POST', `${path}/redeliver-failed`, { body });
    const again = await call('POST', `${path}/redeliver-failed`, { body });

    expect(one).toMatchObject({ status: 202, json: { status: 'pending' } });
    expect(rest).toMatchObject({ status: 202, json: { redelivered: 2, nextCursor: null } });
    expect(again).toMatchObject({ status: 202, json: { redelivered: 0, nextCursor: null } });
    await vi.waitFor(async () => {
      expect((await readLog(path, '?status=delivered')).data).toHaveLength(3);
    }, patience);
    const ids = messages.map(({ headers }) => headers['webhook-id']);
    expect(ids.slice(3).toSorted()).toEqual(ids.slice(0, 3).toSorted());
    expect((await call('GET', path)).json).toMatchObject({
      disabled: { reason: 'gone' },
      health: { status: 'disabled', exhausted: 0 },
    });
    const { data } = await readLog(path, '?status=failed');
    expect(data.every(({ redeliveredAs }) => redeliveredAs !== undefined)).toBe(true);
  });
});

describe('the delivery log', () => {
  it('lists all deliveries, newest first, each once', async () => {
    const { url } = await startReceiver();
    const { path } = await create(url);
    const tested: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      const { json } = await call('POST', `${path}/test`);
      tested.push(deliveryShape.parse(json).id);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }

    const read: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await readLog(path, `?limit=3${cursor && `&cursor=${cursor}`}`);
      read.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor;
    }

    expect(read).toEqual(tested.toReversed());
  });

  it.each(['?cursor=nonsense', '?limit=0', '?status=lost', '?type=sent'])(
    'rejects %s',
    async (query) => {
      const { url } = await startReceiver();
      const { path } = await create(url);

      const { status, json } = await call('GET', `${path}/deliveries${query}`);

      expect(status).toBe(400);
      expect(json).toMatchObject({ code: 'validation_failed', errors: [{}] });
    },
  );
});

describe('creating an endpoint', () => {
  it.each(['http://example.com/', 'https://169.254.169.254/', 'https://10.1/', 'nonsense'])(
    'rejects the URL %s',
    async (url) => {
      const { status, json } = await call('POST', webhooks, { body: { url } });

      expect(status).toBe(400);
      expect(json).toMatchObject({ code: 'validation_failed', errors: [{ path: 'url' }] });
    },
  );

  it('refuses a twenty-first one', async () => {
    for (let count = 0; count < 20; count += 1) await create('https://example.com/');

    const body = { url: 'https://example.com/' };
    const { status, json } = await call('POST', webhooks, { body });

    expect(status).toBe(409);
    expect(json).toMatchObject({ code: 'too_many_webhooks' });
  });
});
