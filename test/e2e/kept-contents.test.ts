import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { sendKey } from '#shared/table/send-keys';
import { openTable } from '#shared/table/table-client';
import { sendIdSchema, slotIdIn } from '#shared/tokens/resource-id';
import { giveNothingUp } from '../support/held-timeout.ts';
import { readInbox } from '../support/mailbox-inbox.ts';
import { useTwin } from '../support/twin.ts';

giveNothingUp();
const { baseUrl, apiKey, manageKey, inboxUrl, tableName } = await useTwin();

const anyJson = z.record(z.string(), z.any());

type Call = {
  readonly key?: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
};

async function call(method: string, path: string, { key = manageKey, body, headers }: Call = {}) {
  const response = await fetch(`${baseUrl}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  const json = anyJson.parse(isJson ? JSON.parse(text) : {});
  return { status: response.status, headers: response.headers, text, json };
}

const keep = (keepContentDays: number | null) =>
  call('PATCH', '/organization', { body: { keepContentDays } });

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `reader-${addresses}@example.com`;
}

const html =
  '<p>Hello <a href="https://example.com/start">Ann</a></p><img src="https://example.com/a.png">';

/** Sends an email while contents are stored. */
async function send(fields: object = {}): Promise<string> {
  const body = { to: newAddress(), subject: 'Welcome', htmlContent: html, ...fields };
  const { json } = await call('POST', '/emails/send', { key: apiKey, body });
  return z.string().parse(json['sendId']);
}

const readContent = (sendId: string, query = '', key?: string) =>
  call('GET', `/sends/${sendId}/content${query}`, key === undefined ? {} : { key });

const resend = (sendId: string, given: Call = {}) => call('POST', `/sends/${sendId}/resend`, given);

const newKey = async (...scopes: string[]): Promise<string> => {
  const { json } = await call('POST', '/api-keys', { body: { name: 'limited', scopes } });
  return z.string().parse(json['key']);
};

const emailsTo = async (address: string) =>
  (await readInbox(inboxUrl)).filter(({ destination }) => destination.to.includes(address));

const storeShape = z.object({
  emails: z.array(
    z.object({
      destination: z.object({ to: z.array(z.string()) }),
      attachments: z.array(z.unknown()).default([]),
    }),
  ),
});

/** The attachments of each email to an address, as the mailbox has them. */
async function readAttachmentsTo(address: string) {
  const response = await fetch(`${inboxUrl}/store`);
  const { emails } = storeShape.parse(await response.json());
  return emails
    .filter(({ destination }) => destination.to.includes(address))
    .map(({ attachments }) => attachments);
}

await keep(7);

describe("an email's content", () => {
  it("isn't stored unless the organization has asked for it", async () => {
    await keep(null);
    const sendId = await send();
    await keep(7);

    const { status, json } = await readContent(sendId);

    expect([status, json['code']]).toEqual([404, 'content_not_kept']);
  });

  it('is read as sent, without links that act for its recipient', async () => {
    const to = newAddress();
    const sendId = await send({ to, headers: { 'X-Order': '7' }, policyKey: 'bulk' });

    const { status, json } = await readContent(sendId);
    const { json: timeline } = await call('GET', `/sends/${sendId}`);

    expect(status).toBe(200);
    expect(json).toMatchObject({
      sendId,
      toEmail: to,
      subject: 'Welcome',
      headers: { 'X-Order': '7' },
      attachments: [],
      contentUntil: timeline['send'].contentUntil,
    });
    expect(json['htmlContent']).toContain(html);
    expect(json['htmlContent']).toContain('>Unsubscribe</a>');
    expect(json['content']).toContain('Hello Ann');
    expect(JSON.stringify(json)).not.toMatch(/token=[\w-]|\/t\/[co]\/|contentKey/);
    expect(JSON.stringify(timeline)).not.toContain('contentKey');
  });

  it('is shown as a page in which nothing runs, acts or loads, except images on demand', async () => {
    const sendId = await send({ htmlContent: `${html}<script>alert(1)</script>` });

    const page = await readContent(sendId, '?as=page');
    const withImages = await readContent(sendId, '?as=page&images=remote');
    const text = await readContent(sendId, '?as=page&part=text');

    const policyOf = ({ headers }: typeof page) => headers.get('content-security-policy');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.text).toContain('<base target="_blank">');
    expect(policyOf(page)).toMatch(
      /^sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:;/,
    );
    expect(policyOf(page)).not.toContain('https:');
    expect(policyOf(withImages)).toContain('img-src https: data:');
    expect(text.text).toContain('<pre');
    expect(text.text).toContain('Hello Ann');
  });

  it('is shown with its own images, and no other attachment replaces them', async () => {
    const image = Buffer.from('an image').toString('base64');
    const attachments = [
      { filename: 'a.png', contentId: 'logo', contentType: 'image/png', contentBase64: image },
      { filename: 'b.txt', contentId: 'terms', contentType: 'text/html', contentBase64: image },
    ];
    const htmlContent = '<img src="cid:logo"><img src="cid:terms"><img src="cid:logo-2">';
    const sendId = await send({ attachments, htmlContent });

    const { text } = await readContent(sendId, '?as=page');
    const { json } = await readContent(sendId);

    expect(text).toContain(
      `<img src="data:image/png;base64,${image}"><img src="cid:terms"><img src="cid:logo-2">`,
    );
    expect(json['htmlContent']).toBe(htmlContent);
  });

  it("gets a page, too, when it isn't stored", async () => {
    await keep(null);
    const sendId = await send();
    await keep(7);

    const { status, text, headers } = await readContent(sendId, '?as=page');

    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toContain('isn’t stored');
  });

  it('requires its own scope', async () => {
    const sendId = await send();

    const without = await readContent(sendId, '', await newKey('read_sends', 'send_email'));
    const reader = await readContent(sendId, '', await newKey('read_content'));

    expect([without.status, without.json['code']]).toEqual([403, 'missing_scope']);
    expect(reader.status).toBe(200);
  });

  it('leaves an audit entry each time it is read', async () => {
    const sendId = await send();
    await readContent(sendId);
    await readContent(sendId, '?as=page');

    const { json } = await call('GET', '/audit?limit=20');

    const readings = z
      .array(z.object({ action: z.string(), target: z.string() }))
      .parse(json['data'])
      .filter(({ target }) => target === sendId);
    expect(readings.map(({ action }) => action)).toEqual([
      'email.content_read',
      'email.content_read',
    ]);
  });

  it('is in Resend’s form of the email for a key that may read it, and leaves an audit entry', async () => {
    const sendId = await send();
    const get = async (key: string) => {
      const headers = { authorization: `Bearer re_${key}` };
      const response = await fetch(`${baseUrl}/resend/emails/${sendId}`, { headers });
      return anyJson.parse(await response.json());
    };

    const [read, unread] = [await get(manageKey), await get(await newKey('read_sends'))];
    const { json } = await call('GET', '/audit?limit=20');

    expect(read).toMatchObject({ html, text: expect.stringContaining('Hello Ann') });
    expect(unread).toMatchObject({ html: null, text: null });
    const readings = z.array(anyJson).parse(json['data']);
    expect(readings.filter(({ target }) => target === sendId)).toMatchObject([
      { action: 'email.content_read' },
    ]);
  });

  it("is null in Resend’s form of an email whose content isn't stored", async () => {
    await keep(null);
    const sendId = await send();
    await keep(7);

    const headers = { authorization: `Bearer re_${manageKey}` };
    const response = await fetch(`${baseUrl}/resend/emails/${sendId}`, { headers });

    expect(await response.json()).toMatchObject({ id: sendId, html: null, text: null });
  });

  it("isn't stored under a policy that says so", async () => {
    const body = { kind: 'transactional', keepsContent: false };
    await call('PUT', '/policies/codes', { body });
    const sendId = await send({ policyKey: 'codes' });

    const { json } = await readContent(sendId);
    const { json: policy } = await call('GET', '/policies/codes');

    expect(json['code']).toBe('content_not_kept');
    expect(policy).toMatchObject(body);
  });

  it('is deleted when the person is erased', async () => {
    const to = newAddress();
    const sendId = await send({ to });
    const before = await readContent(sendId);

    const { status } = await call('DELETE', `/contacts/${to}`);
    const { json } = await readContent(sendId);

    expect([before.status, status, json['code']]).toEqual([200, 204, 'content_not_kept']);
  });
});

describe('the number of days that contents are stored', () => {
  it.each([
    [2, 400],
    ['7', 400],
    [365, 400],
    [90, 200],
  ])(
    'can be one that the bucket supports, within the retention of sends: %j',
    async (days, status) => {
      const answer = await call('PATCH', '/organization', { body: { keepContentDays: days } });

      expect(answer.status).toBe(status);
      if (status === 400) expect(answer.json['errors'][0].path).toBe('keepContentDays');
    },
  );

  it('keeps the retention of sends from being set below it', async () => {
    await keep(30);
    const body = { sendRetentionDays: 7 };

    const refused = await call('PATCH', '/organization', { body });
    const both = await call('PATCH', '/organization', { body: { ...body, keepContentDays: 7 } });
    await call('PATCH', '/organization', { body: { sendRetentionDays: null } });

    expect(refused.json['errors']).toMatchObject([{ path: 'sendRetentionDays' }]);
    expect(both.json).toMatchObject({ keepContentDays: 7, sendRetentionDays: 7 });
  });
});

describe('an email that is sent again', () => {
  it('is a new send of the same content to the same person, and each names the other', async () => {
    const to = newAddress();
    const first = await send({ to, tags: { kind: 'welcome' } });

    const { status, json } = await resend(first);
    const again = z.string().parse(json['sendId']);
    const { json: timeline } = await call('GET', `/sends/${again}`);
    const { json: original } = await call('GET', `/sends/${first}`);

    expect([status, json['status']]).toEqual([200, 'sent']);
    expect(again).not.toBe(first);
    expect(timeline['send']).toMatchObject({
      toEmail: to,
      subject: 'Welcome',
      tags: { kind: 'welcome' },
      resendOf: first,
    });
    expect(original['send'].resentAs).toEqual([again]);
    const emails = await emailsTo(to);
    expect(emails).toHaveLength(2);
    const [one, other] = emails.map(({ body }) => body.html);
    expect(one).toContain('/t/o/');
    expect(other).toContain('/t/o/');
    expect(one).not.toBe(other);
  });

  it('is sent once for each idempotency key', async () => {
    const to = newAddress();
    const first = await send({ to });
    const headers = { 'idempotency-key': `again-${to}` };

    const one = await resend(first, { headers });
    const other = await resend(first, { headers });
    const different = await resend(await send(), { headers });

    expect(other.json).toEqual({ ...one.json, reused: true });
    expect([different.status, different.json['code']]).toEqual([422, 'idempotency_key_reused']);
    expect(await emailsTo(to)).toHaveLength(2);
  });

  it('to somebody else reveals the content, so it requires the scope and is audited', async () => {
    const first = await send({ cc: newAddress() });
    const to = newAddress();
    const sender = await newKey('send_email');

    const refused = await resend(first, { key: sender, body: { to } });
    const allowed = await resend(first, { body: { to } });
    const own = await resend(first, { key: sender });
    const { json: audit } = await call('GET', '/audit?limit=20');

    expect([refused.status, refused.json['code']]).toEqual([403, 'missing_scope']);
    expect([allowed.status, own.status]).toEqual([200, 200]);
    const [email, ...others] = await emailsTo(to);
    expect(others).toEqual([]);
    expect(email?.destination).toMatchObject({ to: [to], cc: [] });
    const targets = z.array(z.object({ target: z.string() })).parse(audit['data']);
    expect(targets.filter(({ target }) => target === first)).toHaveLength(1);
  });

  it('obeys current suppressions', async () => {
    const to = newAddress();
    const first = await send({ to });
    await call('POST', '/suppressions', { body: { email: to } });

    const { status, json } = await resend(first);

    expect([status, json['status']]).toEqual([200, 'suppressed']);
  });

  it('is sent without headers that were accepted then and are refused since', async () => {
    const sendId = sendIdSchema.parse(await send({ headers: { 'X-Order': '7' } }));
    const { client, name } = openTable(tableName);
    await client.send(
      new UpdateCommand({
        TableName: name,
        Key: sendKey(slotIdIn(sendId)),
        UpdateExpression: 'SET headers.#from = :from',
        ExpressionAttributeNames: { '#from': 'Resent-From' },
        ExpressionAttributeValues: { ':from': 'ann@example.com' },
      }),
    );

    const { status, json } = await resend(sendId);
    const { json: content } = await readContent(z.string().parse(json['sendId']));

    expect(status).toBe(200);
    expect(content['headers']).toEqual({ 'X-Order': '7' });
  });

  it('can be sent again itself', async () => {
    const first = await send();
    const second = await resend(first);

    const third = await resend(z.string().parse(second.json['sendId']));

    expect([second.status, third.status]).toEqual([200, 200]);
  });

  it('is sent with its attachments, byte for byte', async () => {
    const to = newAddress();
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 251));
    const attachments = [
      { filename: 'a.bin', contentBase64: bytes.toString('base64') },
      { filename: 'b.png', contentBase64: 'iVBORw==', contentType: 'image/png', contentId: 'logo' },
    ];
    const first = await send({ to, attachments });

    const { json: content } = await readContent(first);
    const again = await resend(first);

    expect(content).toMatchObject({
      attachmentsKept: true,
      attachments: [
        { filename: 'a.bin', size: 70_000 },
        { filename: 'b.png', contentType: 'image/png', contentId: 'logo', size: 4 },
      ],
    });
    expect(JSON.stringify(content)).not.toContain('iVBORw==');
    expect(again.json).toMatchObject({ status: 'sent' });
    const { json: timeline } = await call('GET', `/sends/${again.json['sendId']}`);
    expect(timeline['send']).toMatchObject({ attachmentCount: 2, attachmentBytes: 70_004 });
    const emails = await readAttachmentsTo(to);
    expect(emails).toHaveLength(2);
    expect(emails[1]).toEqual(emails[0]);
  });

  it.each([
    ['not_an_id', 404, 'send_not_found'],
    [undefined, 404, 'content_not_kept'],
  ])('must exist with its content: %s', async (id, status, code) => {
    await keep(null);
    const first = id ?? (await send());
    await keep(7);

    const answer = await resend(first);

    expect([answer.status, answer.json['code']]).toEqual([status, code]);
  });

  it.each([
    [{ to: 'nobody' }, 'to'],
    [{ to: [] }, 'to'],
    [{ subject: 'Other' }, 'subject'],
  ])('accepts no other field and no invalid one: %j', async (body, path) => {
    const { status, json } = await resend(await send(), { body });

    expect(status).toBe(400);
    expect(json['errors'][0].path).toContain(path);
  });
});
