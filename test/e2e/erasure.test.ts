import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { putApiKey } from '#shared/access/api-key-store';
import { putOrganization } from '#shared/organizations/organization-store';

import { openTable } from '#shared/table/table-client';
import { organizationIdSchema } from '#shared/tokens/resource-id';
import { endpoint as getSendEndpoint } from '../../functions/get-send/get-send.ts';
import { listen } from '../../infra/local/server.ts';
import { buildApiKey } from '../support/api-key-builder.ts';
import { readInbox } from '../support/mailbox-inbox.ts';
import { buildOrganization } from '../support/organization-builder.ts';
import { keysHolding } from '../support/organization-items.ts';
import { patience } from '../support/patience.ts';
import { useTwin } from '../support/twin.ts';

const timelineSchema = getSendEndpoint.answers[200].body;

const stack = await useTwin({ hasStream: true });

const { baseUrl, apiKey, manageKey, inboxUrl, tableName } = stack;
const table = openTable(tableName);
const organizationId = organizationIdSchema.parse(stack.organizationId);

type Call = {
  readonly body?: unknown;
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
};

async function call(method: string, path: string, { body, key, headers }: Call = {}) {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key ?? manageKey}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json: unknown = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, text, json };
}

const erase = (email: string, { query = '', ...rest }: Call & { readonly query?: string } = {}) =>
  call('DELETE', `/api/v1/contacts/${encodeURIComponent(email)}${query}`, rest);

const sentShape = z.object({ sendId: z.string(), status: z.string() });

/** Sends a bulk email that names its recipient in its subject, with a key that names it too. */
async function send(to: string, idempotencyKey = `welcome-${to}`) {
  const { status, json } = await call('POST', '/api/v1/emails/send', {
    key: apiKey,
    headers: { 'idempotency-key': idempotencyKey },
    body: { to, subject: `Welcome, ${to}`, content: 'Hello', policyKey: 'newsletter' },
  });
  expect(status).toBe(200);
  return sentShape.parse(json);
}

const readTimeline = async (sendId: string) => {
  const { status, text, json } = await call('GET', `/api/v1/sends/${sendId}`);
  return { status, text, timeline: timelineSchema.safeParse(json).data };
};

/** Waits until the send has an event of the type, and no webhook attempt is pending. */
const settled = (sendId: string, type: string) =>
  vi.waitFor(async () => {
    const { timeline } = await readTimeline(sendId);
    expect(timeline?.events.map((event) => event.type)).toContain(type);
    expect(timeline?.webhooks.map(({ status }) => status)).not.toContain('pending');
  }, patience);

/** The unsubscribe URL of the last email to the address. */
async function unsubscribePathOf(address: string): Promise<string> {
  const emails = await readInbox(inboxUrl);
  const email = emails.findLast(({ destination }) => destination.to.includes(address));
  const header = email?.headers.find(({ name }) => name === 'List-Unsubscribe');
  const { pathname, search } = new URL(/<(https?:[^>]+)>/.exec(header?.value ?? '')?.[1] ?? '');
  return `${pathname}${search}`;
}

/** The same through the link in the email's footer, which leads to the preferences as well. */
async function footerPathOf(address: string): Promise<string> {
  const emails = await readInbox(inboxUrl);
  const email = emails.findLast(({ destination }) => destination.to.includes(address));
  return /\/api\/unsubscribe\?token=[\w.-]+/.exec(email?.body.text ?? '')?.[0] ?? 'no link';
}

const endpointShape = z.object({ id: z.string() });
const messageShape = z.object({ type: z.string(), data: z.looseObject({}) });
const logShape = z.object({
  data: z.array(z.object({ id: z.string(), type: z.string(), status: z.string() })),
});

/** A webhook endpoint that subscribes to everything, and its messages. */
async function startListener() {
  const messages: z.output<typeof messageShape>[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    messages.push(messageShape.parse(JSON.parse(body)));
    response.writeHead(204).end();
  });
  const { url, stop } = await listen(server, 0);
  const { json } = await call('POST', '/api/v1/webhooks', { body: { url } });
  const path = `/api/v1/webhooks/${endpointShape.parse(json).id}`;
  onTestFinished(async () => {
    await call('DELETE', path);
    server.closeAllConnections();
    await stop();
  });
  return { messages, log: () => call('GET', `${path}/deliveries?limit=100`) };
}

let people = 0;

/** Somebody whose email bounced, and who then made a choice; webhooks got both. */
async function newPerson() {
  people += 1;
  const email = `bounce+${people}@simulator.amazonses.com`;
  const listener = await startListener();
  const { sendId } = await send(email);
  await settled(sendId, 'bounced');
  const subscriptions = [{ categoryKey: 'newsletter', subscribed: false }];
  await call('POST', '/api/v1/preferences', { body: { email, subscriptions } });
  await vi.waitFor(
    () => expect(typesOf(listener.messages)).toContain('contact.preferences_updated'),
    patience,
  );
  const preferences = () => call('GET', `/api/v1/preferences?email=${encodeURIComponent(email)}`);
  return { ...listener, email, sendId, preferences };
}

const typesOf = (list: readonly { readonly type: string }[]) => list.map(({ type }) => type);

describe('an erased person', () => {
  it('is named in nothing that is stored', async () => {
    const { email } = await newPerson();

    const answer = await erase(email);

    expect(answer).toEqual({ status: 204, text: '', json: undefined });
    expect(await keysHolding(table, organizationId, email)).toEqual([]);
  });

  it('is named in no timeline, and the rest of it remains', async () => {
    const { email, sendId } = await newPerson();

    await erase(email);

    const { text, timeline } = await readTimeline(sendId);
    expect(text).not.toContain(email);
    expect(timeline).toMatchObject({
      send: { toEmail: 'erased', subject: 'Welcome, erased', status: 'sent' },
      messages: [{ toEmail: 'erased' }],
    });
    expect(typesOf(timeline?.events ?? [])).toEqual(['sent', 'bounced']);
  });

  it('is named in no webhook log and in no repeated delivery', async () => {
    const { email, log, messages } = await newPerson();
    await erase(email);

    const { text, json } = await log();
    const { data: deliveries } = logShape.parse(json);
    const bounced = deliveries.find(({ type }) => type === 'email.bounced');
    const bounces = () => messages.filter(({ type }) => type === 'email.bounced');
    await call('POST', `/api/v1/webhooks/deliveries/${bounced?.id}/redeliver`);
    await vi.waitFor(() => expect(bounces()).toHaveLength(2), patience);

    expect(text).not.toContain(email);
    expect(bounces()[1]).toMatchObject({
      data: { to: 'erased', subject: 'Welcome, erased', recipients: [{ email: 'erased' }] },
    });
  });

  it('has no preferences, and can still unsubscribe through an old email', async () => {
    const { email, preferences } = await newPerson();
    const unsubscribe = await unsubscribePathOf(email);
    const before = await preferences();
    await erase(email);

    const after = await preferences();
    const unsubscribed = await call('POST', unsubscribe, { key: null });

    expect(before.status).toBe(200);
    expect(after).toMatchObject({ status: 404, json: { code: 'contact_not_found' } });
    expect(unsubscribed.status).toBe(200);
    expect((await preferences()).status).toBe(404);
    expect(await keysHolding(table, organizationId, email)).toEqual([]);
  });

  it('gets no link to the preferences page, which returns 404, when unsubscribing', async () => {
    const { email } = await newPerson();
    const path = await footerPathOf(email);
    const openPage = async (method: string) => {
      const headers = { accept: 'text/html' };
      const response = await fetch(`${baseUrl}${path}`, { method, headers });
      return { status: response.status, html: await response.text() };
    };
    const before = await openPage('GET');
    await erase(email);

    const question = await openPage('GET');
    const answer = await openPage('POST');

    expect(before.html).toContain('href="/preferences?token=');
    expect([question.status, answer.status]).toEqual([200, 200]);
    expect(question.html + answer.html).not.toContain('/preferences');
  });

  it('gets no email when the address had bounced', async () => {
    const { email } = await newPerson();
    await erase(email);

    const next = await send(email, 'next');

    expect(next.status).toBe('suppressed');
    expect((await readTimeline(next.sendId)).timeline?.send.suppressedRecipients).toEqual([
      { email, reason: 'bounce' },
    ]);
  });
});

describe('a person erased as one of several recipients', () => {
  const listShape = z.object({ data: z.array(z.object({ _id: z.string() })) });
  const listed = async (email: string) => {
    const { json } = await call('GET', `/api/v1/sends?to=${encodeURIComponent(email)}`);
    return listShape.parse(json).data.map(({ _id }) => _id);
  };

  const sendToAll = async (email: object) => {
    const { json } = await call('POST', '/api/v1/emails/send', { key: apiKey, body: email });
    return sentShape.parse(json).sendId;
  };

  it('appears in nothing that is stored, and the others are unaffected', async () => {
    const cc = 'bounce+copy@simulator.amazonses.com';
    const to = ['first@example.com', 'second@example.com'];
    const others = [...to, 'blind@example.com'];
    const { messages } = await startListener();
    const body = { to, cc, bcc: 'blind@example.com', subject: `About ${cc}`, content: 'Hello' };
    const sendId = await sendToAll(body);
    await settled(sendId, 'bounced');
    await vi.waitFor(() => expect(typesOf(messages)).toContain('suppression.added'), patience);
    const before = await Promise.all([...others, cc].map(listed));

    const { status } = await erase(cc.toUpperCase());

    expect(before).toEqual(Array(4).fill([sendId]));
    expect(status).toBe(204);
    expect(await keysHolding(table, organizationId, cc)).toEqual([]);
    expect(await Promise.all([...others, cc].map(listed))).toEqual([
      ...Array(3).fill([sendId]),
      [],
    ]);
    expect((await readTimeline(sendId)).timeline?.send).toMatchObject({
      to,
      cc: ['erased'],
      bcc: ['blind@example.com'],
      subject: 'About erased',
      status: 'sent',
    });
    for (const one of others) {
      expect(await keysHolding(table, organizationId, one)).not.toEqual([]);
    }
  });

  it('is left out of a scheduled email, which still goes to the others', async () => {
    const sendAt = Date.now() + 3_600_000;
    const subject = 'For carl@example.com as well';
    const idempotencyKey = 'report-for-carl@example.com';
    const envelope = { to: 'tom@example.com', cc: ['carl@example.com', 'cora@example.com'] };
    const words = { subject, content: 'Hello' };
    const sendId = await sendToAll({ ...envelope, ...words, sendAt, idempotencyKey });

    const { status } = await erase('carl@example.com');
    const waiting = await readTimeline(sendId);
    const left = await keysHolding(table, organizationId, 'carl@example.com');
    await call('PATCH', `/api/v1/sends/${sendId}`, { key: apiKey, body: { sendAt: Date.now() } });
    await settled(sendId, 'sent');

    expect([status, left]).toEqual([204, []]);
    expect(waiting.timeline?.send).toMatchObject({
      status: 'scheduled',
      cc: ['erased', 'cora@example.com'],
    });
    const emails = await readInbox(inboxUrl);
    expect(
      emails.findLast(({ destination }) => destination.to.includes('tom@example.com')),
    ).toMatchObject({ destination: { cc: ['cora@example.com'] }, subject: 'For erased as well' });
    expect(await keysHolding(table, organizationId, 'carl@example.com')).toEqual([]);
  });
});

describe('a person erased together with all sends', () => {
  it('leaves nothing to read, and no key', async () => {
    await startListener();
    const { sendId } = await send('ann+news@example.com');
    await settled(sendId, 'delivered');

    const erased = await erase('Ann+News@Example.com', { query: '?sends=true' });

    expect(erased.status).toBe(204);
    expect((await readTimeline(sendId)).status).toBe(404);
    expect(await keysHolding(table, organizationId, 'ann+news@example.com')).toEqual([]);
    const again = await send('ann+news@example.com');
    expect(again).toMatchObject({ status: 'sent' });
    expect(again.sendId).not.toBe(sendId);
  });
});

describe('an erasure', () => {
  it('gives the same answer when repeated, and for an unknown address', async () => {
    await send('ben@example.com');

    const statuses = [
      (await erase('ben@example.com')).status,
      (await erase('ben@example.com')).status,
      (await erase('nobody@example.com')).status,
    ];

    expect(statuses).toEqual([204, 204, 204]);
  });

  it('still replays the answer for earlier sends', async () => {
    const first = await send('cleo@example.com');
    await erase('cleo@example.com');

    const second = await send('cleo@example.com');

    expect(second).toEqual(first);
    expect(await keysHolding(table, organizationId, 'cleo@example.com')).toEqual([]);
  });

  it("with another organization's key leaves the person known", async () => {
    const { sendId } = await send('dan@example.com');
    const other = buildOrganization();
    const foreign = buildApiKey({ organizationId: other.id, scopes: ['manage_organization'] });
    await putOrganization(table, other);
    await putApiKey(table, foreign.apiKey);

    const { status } = await erase('dan@example.com', { key: foreign.text, query: '?sends=true' });

    expect(status).toBe(204);
    expect((await readTimeline(sendId)).timeline?.send.toEmail).toBe('dan@example.com');
    expect((await call('GET', '/api/v1/preferences?email=dan@example.com')).status).toBe(200);
    expect(await keysHolding(table, other.id, 'dan@example.com')).toEqual([]);
  });

  it('is refused to a caller who may not manage the organization, before its address is read', async () => {
    const nobody = await erase('no address', { key: null });
    const sender = await erase('no address', { key: apiKey });

    expect(nobody).toMatchObject({ status: 401, json: { code: 'invalid_api_key' } });
    expect(sender).toMatchObject({ status: 403, json: { code: 'missing_scope' } });
  });

  it.each(['no address', 'Ann <ann@example.com>', 'ann@example.com\r\n', '@', 'erased', 'a@b'])(
    'accepts only an address: %j',
    async (email) => {
      const { status, text, json } = await erase(email);

      expect(status).toBe(400);
      expect(json).toMatchObject({ code: 'validation_failed', errors: [{ path: 'email' }] });
      expect(text).not.toContain('Ann <');
    },
  );

  it('accepts "true" or "false" for the sends', async () => {
    const { status, json } = await erase('eve@example.com', { query: '?sends=all' });

    expect(status).toBe(400);
    expect(json).toMatchObject({ code: 'validation_failed', errors: [{ path: 'sends' }] });
  });
});
