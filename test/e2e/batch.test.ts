import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { buildAttachmentField } from '../support/attachment-builder.ts';
import { readInbox } from '../support/mailbox-inbox.ts';
import { buildSendBody } from '../support/send-body-builder.ts';
import { useTwin } from '../support/twin.ts';

const { baseUrl, apiKey, manageKey, inboxUrl } = await useTwin();

const answerSchema = z.record(z.string(), z.any());

async function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${baseUrl}/api/v1${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

async function batch(
  emails: readonly unknown[],
  { key, ...fields }: { readonly key?: string; readonly validation?: string } = {},
) {
  const answer = await post(
    '/emails/batch',
    { emails, ...fields },
    key === undefined ? {} : { 'idempotency-key': key },
  );
  const results = z.object({ data: z.array(answerSchema) }).safeParse(JSON.parse(answer.text));
  return { ...answer, results: results.data?.data ?? [] };
}

const mailTo = (to: unknown, fields: object = {}) => buildSendBody({ to, ...fields });

const inboxOf = async (address: string) =>
  (await readInbox(inboxUrl)).filter(({ destination }) => destination?.to.includes(address));

describe('a batch', () => {
  it('sends each email, as its timeline and usage show', async () => {
    const emails = Array.from({ length: 100 }, (_, place) =>
      mailTo(`full-${place}@example.com`, { htmlContent: '<a href="https://example.com">x</a>' }),
    );

    const { status, headers, results: first } = await batch(emails, { key: 'full' });
    // On a busy machine, a batch ends before its last emails have started: repeating it continues with them.
    let results = first;
    while (results.some((one) => one['status'] !== 'sent')) {
      ({ results } = await batch(emails, { key: 'full' }));
    }

    expect(status).toBe(200);
    expect(headers.get('idempotency-key')).toBe('full');
    expect(headers.get('idempotency-replayed')).toBeNull();
    expect(new Set(results.map(({ messageId }) => messageId)).size).toBe(100);
    const [, , , third] = results;
    expect(await inboxOf('full-3@example.com')).toMatchObject([
      { messageId: third?.['messageId'] },
    ]);
    const response = await fetch(`${baseUrl}/api/v1/sends/${third?.['sendId']}`, {
      headers: { authorization: `Bearer ${manageKey}` },
    });
    expect(await response.json()).toMatchObject({
      send: { toEmail: 'full-3@example.com', idempotencyKey: 'full:3', endpoint: 'send' },
    });
  });

  it('is replayed as a whole, and a single request replays one of its emails', async () => {
    const emails = [
      mailTo('again@example.com'),
      mailTo('own@example.com', { idempotencyKey: 'o' }),
    ];
    const first = await batch(emails, { key: 'again' });

    const second = await batch(emails, { key: 'again' });
    const single = await post('/emails/send', emails[0], { 'idempotency-key': 'again:0' });

    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.results).toEqual(first.results.map((one) => ({ ...one, reused: true })));
    expect(second.results.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['again:0', 'o']);
    expect(JSON.parse(single.text)).toMatchObject({
      sendId: first.results[0]?.['sendId'],
      reused: true,
    });
    expect(await inboxOf('again@example.com')).toHaveLength(1);
  });

  it('reports for each refused email what a single request would', async () => {
    const wrong = mailTo('nobody');

    const { status, results } = await batch([mailTo('right@example.com'), wrong]);
    const single = await post('/emails/send', wrong);

    expect(status).toBe(200);
    expect(results[0]).toMatchObject({ status: 'sent' });
    const { code, status: code400, title, detail, errors } = JSON.parse(single.text);
    expect(results[1]).toEqual({ error: { code, status: code400, title, detail, errors } });
  });

  it('sends nothing when it is strict and one email is invalid', async () => {
    const { status, text } = await batch([mailTo('strict@example.com'), mailTo('nobody')], {
      validation: 'strict',
      key: 'strict',
    });

    expect(status).toBe(400);
    expect(JSON.parse(text).errors).toMatchObject([{ path: 'emails.1.to' }]);
    expect(await inboxOf('strict@example.com')).toEqual([]);
  });

  it('accepts attachments inline and by upload', async () => {
    const ticket = await post('/attachments', { filename: 'a.txt', size: 3 });
    const { uploadId, url, method, headers } = JSON.parse(ticket.text);
    const { 'content-length': _, ...others } = z.record(z.string(), z.string()).parse(headers);
    await fetch(url, { method, headers: others, body: 'abc' });

    const { results } = await batch([
      mailTo('inline@example.com', { attachments: [buildAttachmentField()] }),
      mailTo('upload@example.com', { attachments: [{ filename: 'a.txt', uploadId }] }),
      mailTo('other@example.com', { attachments: [{ filename: 'a.txt', uploadId: 'upl_nope' }] }),
    ]);

    expect(results).toMatchObject([
      { status: 'sent' },
      { status: 'sent' },
      { error: { code: 'validation_failed', errors: [{ path: 'attachments.0.uploadId' }] } },
    ]);
  });
});

describe('an invalid batch', () => {
  it.each<[string, unknown, number, string]>([
    ['no JSON', '{"emails": [', 400, 'malformed_json'],
    ['a list', [mailTo('ann@example.com')], 400, 'validation_failed'],
    ['no emails', { emails: [] }, 400, 'validation_failed'],
    ['too many', { emails: Array.from({ length: 101 }, () => ({})) }, 400, 'validation_failed'],
    ['an unknown field', { emails: [{}], emial: [] }, 400, 'validation_failed'],
    ['a prototype', '{"emails": [{"__proto__": {"to": "a@example.com"}}]}', 400, 'malformed_json'],
  ])('with %s is rejected', async (_what, body, status, code) => {
    const answer = await post('/emails/batch', body);

    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text).code).toBe(code);
  });

  it.each<[string, unknown]>([
    ['nothing', null],
    ['a number', 7],
    ['a list', [[]]],
    ['deep nesting', JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`)],
    ['a list for a subject', mailTo('a@example.com', { subject: ['x'] })],
    ['a line break in an address', mailTo('a@example.com\r\nBcc: b@example.com')],
    ['an unknown field', mailTo('a@example.com', { isAdmin: true })],
  ])('with %s for an email rejects only that email', async (_what, email) => {
    const { status, results } = await batch([email, mailTo('beside@example.com')]);

    expect(status).toBe(200);
    expect(results).toMatchObject([
      { error: { code: 'validation_failed', status: 400 } },
      { status: 'sent' },
    ]);
  });

  it('gives unauthenticated callers no details', async () => {
    const answer = await post('/emails/batch', '{"emails": [', { authorization: 'Bearer esk_x' });

    expect(answer.status).toBe(401);
  });
});
