import { createServer, type IncomingHttpHeaders } from 'node:http';
import { Resend } from 'resend';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { exampleIds } from '#shared/tokens/example-values';
import { listen, readBody } from '../../infra/local/server.ts';
import { readInbox } from '../support/mailbox-inbox.ts';
import { patience } from '../support/patience.ts';
import { dataOf } from '../support/resend-answers.ts';
import {
  buildSesEvent,
  buildSesMail,
  type SesEventType,
  tagsOf,
} from '../support/ses-event-builder.ts';
import { useTwin } from '../support/twin.ts';

const twin = await useTwin();
const { baseUrl, apiKey, manageKey, fromEmail } = twin;
const clientWith = (key: string) => new Resend(`re_${key}`, { baseUrl: `${baseUrl}/resend` });
const resend = clientWith(manageKey);

type Received = { readonly body: string; readonly headers: IncomingHttpHeaders };

/** A program that receives webhooks. */
async function startReceiver() {
  const received: Received[] = [];
  const server = await listen(
    createServer(async (request, response) => {
      const body = String(await readBody(request));
      received.push({ body, headers: request.headers });
      response.writeHead(204).end();
    }),
    0,
  );
  afterAll(() => server.stop());
  return { received, url: `${server.url}/` };
}

const messageShape = z.object({
  type: z.string(),
  created_at: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
});
const messageOf = ({ body }: Received) => messageShape.parse(JSON.parse(body));

const svixHeadersOf = ({ headers }: Received) => ({
  'svix-id': `${headers['svix-id']}`,
  'svix-timestamp': `${headers['svix-timestamp']}`,
  'svix-signature': `${headers['svix-signature']}`,
});

const { received, url } = await startReceiver();
const created = dataOf(
  await resend.webhooks.create({
    endpoint: url,
    events: [
      ...(['email.sent', 'email.scheduled', 'email.delivered', 'email.bounced'] as const),
      ...(['email.complained', 'email.suppressed', 'email.delivery_delayed'] as const),
      ...(['email.failed', 'email.opened', 'email.clicked'] as const),
      ...(['suppression.added', 'suppression.removed'] as const),
    ],
  }),
);

/** The message of that type about that email, once it has arrived. */
const arrived = (type: string, emailId: string) =>
  vi.waitFor(() => {
    const found = received.find((one) => {
      const message = messageOf(one);
      return message.type === type && message.data['email_id'] === emailId;
    });
    if (found === undefined) throw new Error(`No ${type} of ${emailId}`);
    return found;
  }, patience);

/** With svix, and with Resend's client, which parses it. */
function verified(message: Received) {
  const headers = svixHeadersOf(message);
  const { signing_secret: webhookSecret } = created;
  new SvixWebhook(webhookSecret).verify(message.body, headers);
  const [id = '', timestamp = '', signature = ''] = Object.values(headers);
  const payload = message.body;
  return resend.webhooks.verify({ payload, headers: { id, timestamp, signature }, webhookSecret });
}

/** As SES reports an email. */
const report = (event: SesEventType, sendId: unknown, messageId: unknown) =>
  fetch(`${baseUrl}/_local/provider-events`, {
    method: 'POST',
    body: JSON.stringify(
      buildSesEvent(event, { mail: buildSesMail({ messageId, tags: tagsOf(sendId) }) }),
    ),
  });

/** As a person's mail client does when the email is read. */
async function fetchFromEmail(to: string, path: '/t/o/' | '/t/c/'): Promise<void> {
  const inbox = await readInbox(twin.inboxUrl);
  const email = inbox.find(({ destination }) => destination.to.includes(to));
  const address = email?.body.html?.split('"').find((part) => part.includes(path)) ?? '';
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Firefox/130.0' };
  await fetch(address, { headers, redirect: 'manual' });
}

const send = async (
  to: string,
  fields: { readonly scheduledAt?: string; readonly html?: string } = {},
) => {
  const email = { from: `Shop <${fromEmail}>`, to, subject: 'Hi', text: 'Hi', ...fields };
  const tags = [{ name: 'kind', value: 'receipt' }];
  return dataOf(await clientWith(apiKey).emails.send({ ...email, tags })).id;
};

describe('a webhook endpoint created by Resend’s client', () => {
  it('gets Resend’s messages, which svix, standardwebhooks and Resend’s client verify', async () => {
    const id = await send('ann@example.com');

    const sent = await arrived('email.sent', id);

    const { signing_secret: secret } = created;
    const headers = svixHeadersOf(sent);
    const standard = {
      'webhook-id': headers['svix-id'],
      'webhook-timestamp': headers['svix-timestamp'],
      'webhook-signature': headers['svix-signature'],
    };
    expect(new StandardWebhook(secret).verify(sent.body, standard)).toBeTruthy();
    expect(verified(sent)).toEqual({
      type: 'email.sent',
      created_at: expect.stringMatching(/Z$/),
      data: {
        email_id: id,
        message_id: expect.any(String),
        created_at: expect.stringMatching(/Z$/),
        from: `Shop <${fromEmail}>`,
        to: ['ann@example.com'],
        subject: 'Hi',
        tags: { kind: 'receipt' },
      },
    });
    expect(sent.headers['webhook-id']).toBeUndefined();
    expect(() => new SvixWebhook(secret).verify(`${sent.body} `, headers)).toThrow();
  });

  it('gets a bounce with its cause, then the email that the suppression blocked', async () => {
    const address = 'bounce@simulator.amazonses.com';
    const bounced = await arrived('email.bounced', await send(address));
    expect(messageOf(bounced).data).toMatchObject({
      to: [address],
      bounce: { type: 'Permanent', subType: 'General', message: expect.stringMatching(/\w/) },
    });

    const suppressed = await arrived('email.suppressed', await send(address));

    expect(messageOf(suppressed).data).toMatchObject({
      to: [address],
      suppressed: { type: 'OnAccountSuppressionList', reason: 'previous_bounce' },
    });
  });

  it.each([
    ['email.scheduled', 'later@example.com', { scheduledAt: 'in 1 hour' }],
    ['email.delivered', 'delivered@example.com', {}],
    ['email.complained', 'complaint@simulator.amazonses.com', {}],
  ])('gets %s', async (type, to, fields) => {
    const message = await arrived(type, await send(to, fields));

    expect(messageOf(message).data).toMatchObject({ to: [to] });
  });

  it.each([
    ['email.delivery_delayed', 'DeliveryDelay', {}],
    ['email.failed', 'Reject', { failed: { reason: 'Bad content' } }],
  ] as const)('gets %s, and verifies it', async (type, event, expected) => {
    const id = await send('ann@example.com');
    const { data } = messageOf(await arrived('email.delivered', id));

    await report(event, id, data['message_id']);

    expect(verified(await arrived(type, id))).toMatchObject({
      type,
      data: { email_id: id, message_id: data['message_id'], to: ['ann@example.com'], ...expected },
    });
  });

  it.each([
    ['email.opened', '/t/o/', {}],
    ['email.clicked', '/t/c/', { click: { link: 'https://shop.example.com/order' } }],
  ] as const)('gets %s, and verifies it', async (type, path, expected) => {
    const to = `${type}@example.com`;
    const id = await send(to, { html: '<a href="https://shop.example.com/order?token=1">Hi</a>' });

    await fetchFromEmail(to, path);

    expect(verified(await arrived(type, id))).toMatchObject({
      type,
      data: { email_id: id, message_id: expect.any(String), to: [to], ...expected },
    });
  });

  it('gets a suppression when it is added and removed', async () => {
    const email = 'left@example.com';
    const { id } = dataOf(await resend.suppressions.add({ email }));
    dataOf(await resend.suppressions.remove(email));

    for (const type of ['suppression.added', 'suppression.removed']) {
      const { data } = await vi.waitFor(() => {
        const found = received
          .map(messageOf)
          .find((one) => one.type === type && one.data['id'] === id);
        if (found === undefined) throw new Error(`No ${type} of ${id}`);
        return found;
      }, patience);
      expect(data).toMatchObject({ email, origin: 'manual', source_id: null });
    }
  });

  it('shows its deliveries, and gets one again', async () => {
    const emailId = await send('replayed@example.com');
    await arrived('email.sent', emailId);
    const webhookId = created.id;
    const ofEmail = async () => {
      const { data } = dataOf(await resend.webhooks.events.list({ webhookId, limit: 100 }));
      const read = data.map(async ({ id }) =>
        dataOf(await resend.webhooks.events.get({ webhookId, eventId: id })),
      );
      return (await Promise.all(read)).filter(
        ({ type, payload }) =>
          type === 'email.sent' && 'email_id' in payload.data && payload.data.email_id === emailId,
      );
    };
    const [event] = await vi.waitFor(async () => {
      const found = await ofEmail();
      if (found[0]?.status !== 'success') throw new Error('It is not recorded yet');
      return found;
    }, patience);
    const eventId = `${event?.id}`;
    expect(event).toMatchObject({ object: 'webhook_event', next_attempt_at: null });
    const tried = dataOf(await resend.webhooks.events.attempts.list({ webhookId, eventId }));
    expect(tried).toMatchObject({
      has_more: false,
      data: [{ http_status_code: 204, response: '' }],
    });

    const replayed = dataOf(await resend.webhooks.events.replay({ webhookId, eventId }));

    await vi.waitFor(() => {
      const bodies = received.map(({ body }) => body);
      const [first] = bodies.filter(
        (body) => body.includes(emailId) && body.includes('email.sent'),
      );
      expect(bodies.filter((body) => body === first)).toHaveLength(2);
    }, patience);
    expect(replayed.id).not.toBe(eventId);
    const newest = dataOf(await resend.webhooks.events.list({ webhookId, limit: 1 }));
    expect(newest).toMatchObject({ has_more: true, data: [{ id: replayed.id }] });
    const next = dataOf(
      await resend.webhooks.events.list({ webhookId, limit: 1, after: replayed.id }),
    );
    expect(next.data[0]?.id).not.toBe(replayed.id);
    const foreign = { webhookId, eventId: exampleIds.delivery };
    expect(await resend.webhooks.events.get(foreign)).toMatchObject({
      error: { name: 'not_found' },
    });
    const unknown = await resend.webhooks.events.list({ webhookId, after: exampleIds.delivery });
    expect(unknown.error?.message).toContain('`after`');
  });

  it('signs with both secrets after a rotation', async () => {
    const webhook = { endpoint: url, events: ['email.sent' as const] };
    const { id, signing_secret: before } = dataOf(await resend.webhooks.create(webhook));

    const { signing_secret: after } = dataOf(await resend.webhooks.rotateSigningSecret(id));

    expect(dataOf(await resend.webhooks.get(id)).signing_secret).toBe(after);
    const emailId = await send('rotated@example.com');
    const verifies = (secret: string) =>
      received.some((one) => {
        if (!one.body.includes(emailId)) return false;
        try {
          new SvixWebhook(secret).verify(one.body, svixHeadersOf(one));
          return true;
        } catch {
          return false;
        }
      });
    await vi.waitFor(() => expect([before, after].map(verifies)).toEqual([true, true]), patience);
    await resend.webhooks.remove(id);
  });

  it('is read with its secret, listed, changed and deleted', async () => {
    const made = dataOf(
      await resend.webhooks.create({
        endpoint: 'https://example.com/hooks',
        events: ['email.delivery_delayed', 'suppression.added'],
      }),
    );
    const { id } = made;
    const shown = {
      id,
      endpoint: 'https://example.com/hooks',
      events: ['email.delivery_delayed', 'suppression.added'],
      status: 'enabled',
      created_at: expect.stringMatching(/Z$/),
    };
    expect(dataOf(await resend.webhooks.get(id))).toEqual({
      object: 'webhook',
      ...shown,
      signing_secret: made.signing_secret,
    });

    const endpoint = 'https://example.com/other';
    const updated = dataOf(
      await resend.webhooks.update(id, { endpoint, events: ['email.opened'], status: 'disabled' }),
    );
    const listed = dataOf(await resend.webhooks.list({ after: created.id }));

    expect(updated).toEqual({ object: 'webhook', id });
    expect(listed).toEqual({
      object: 'list',
      has_more: false,
      data: [{ ...shown, endpoint, events: ['email.opened'], status: 'disabled' }],
    });
    expect(dataOf(await resend.webhooks.remove(id))).toEqual({
      ...{ object: 'webhook', id },
      deleted: true,
    });
    expect(await resend.webhooks.get(id)).toMatchObject({ error: { name: 'not_found' } });
  });

  it.each([
    ['events.0', { events: ['contact.created'] as const }],
    ['events.1', { events: ['email.sent', 'domain.updated'] as const }],
    ['events', { events: [] }],
    ['endpoint', { endpoint: 'ftp://example.com/' }],
  ])('gets an error by name for an invalid %s', async (field, options) => {
    const wrong = { endpoint: 'https://example.com/', events: ['email.sent'] as const, ...options };
    const { error } = await resend.webhooks.create({ ...wrong, events: [...wrong.events] });

    expect(error).toMatchObject({ name: 'validation_error', statusCode: 422 });
    expect(error?.message).toContain(`\`${field}\``);
  });
});

describe('a webhook endpoint of our own API', () => {
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${manageKey}`, 'content-type': 'application/json' };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(`${baseUrl}/api/v1/webhooks${path}`, init);
    const json: unknown = await response.json();
    return { status: response.status, json };
  };
  const idShape = z.object({ id: z.string() });
  const make = async (fields: object) =>
    call('POST', '', { url: 'https://example.com/hooks', ...fields });

  it('is hidden from Resend’s API until it switches to Resend’s form', async () => {
    const { id } = idShape.parse((await make({})).json);
    expect(await resend.webhooks.get(id)).toMatchObject({ error: { name: 'not_found' } });
    expect(await resend.webhooks.remove(id)).toMatchObject({ error: { name: 'not_found' } });

    const changed = await call('PATCH', `/${id}`, { format: 'resend' });

    expect(changed.json).toMatchObject({ id, format: 'resend', eventTypes: [] });
    expect(dataOf(await resend.webhooks.get(id)).events).toContain('email.delivery_delayed');
    const back = await call('PATCH', `/${id}`, { format: null });
    expect(back.json).not.toHaveProperty('format');
  });

  it("in Resend’s form can’t subscribe to types that Resend doesn't have", async () => {
    const refused = await make({ format: 'resend', eventTypes: ['email.sent', 'identity.active'] });

    expect(refused).toMatchObject({
      status: 400,
      json: { errors: [{ path: 'eventTypes.1' }] },
    });
  });

  it('in Resend’s form gets its test in that form, with its signature explained', async () => {
    const made = await make({ url, format: 'resend' });
    const { id } = idShape.parse(made.json);
    await call('POST', `/${id}/test`);
    const test = await vi.waitFor(() => {
      const found = received.find((one) => messageOf(one).type === 'webhook.test');
      if (found === undefined) throw new Error('No test has come');
      return found;
    }, patience);
    expect(messageOf(test).data).toEqual({ webhook_id: id });

    const verdict = await call('POST', `/${id}/verify`, {
      payload: test.body,
      headers: svixHeadersOf(test),
    });

    expect(verdict.json).toEqual({ fits: true, causes: [] });
  });
});
