import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { listen } from '../../infra/local/server.ts';
import { useTwin } from '../support/twin.ts';

const megabyte = 1024 * 1024;

const answer = createServer((request, response) => {
  request.resume().on('end', () => response.end(JSON.stringify({ allowed: true })));
});
const entitlements = await listen(answer, 0);
afterAll(entitlements.stop);
const { baseUrl, apiKey, inboxUrl } = await useTwin({
  environment: { ENTITLEMENTS_URL: entitlements.url },
});

const post = (path: string, body: unknown) =>
  fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });

const send = (attachments: readonly unknown[], fields: object = {}) =>
  post('/api/v1/emails/send', {
    ...{ to: 'ann@example.com', subject: 'Files', content: 'See attached.' },
    ...{ attachments, ...fields },
  });

const sentSchema = z.object({ status: z.literal('sent'), messageId: z.string() });
const problemSchema = z.object({
  code: z.string(),
  errors: z.array(z.object({ path: z.string() })).default([]),
});
const ticketSchema = z.object({
  uploadId: z.string(),
  url: z.url(),
  method: z.literal('PUT'),
  headers: z.record(z.string(), z.string()),
});
const inboxSchema = z.object({
  emails: z.array(
    z.object({
      messageId: z.string(),
      attachments: z.array(
        z.object({ filename: z.string(), contentType: z.string(), content: z.string() }),
      ),
    }),
  ),
});

/** The message's attachments, as the mailbox has them. */
async function received(response: Response) {
  const { messageId } = sentSchema.parse(await response.json());
  const inbox = await fetch(`${inboxUrl}/store`);
  const { emails } = inboxSchema.parse(await inbox.json());
  const attachments = emails.find((email) => email.messageId === messageId)?.attachments ?? [];
  return attachments.map(({ content, ...rest }) => ({
    ...rest,
    bytes: Buffer.from(content, 'base64'),
  }));
}

async function refusal(response: Response) {
  const { code, errors } = problemSchema.parse(await response.json());
  return { status: response.status, code, paths: errors.map(({ path }) => path) };
}

/** Uploads the bytes with a ticket for them, with more headers than the ticket's. */
async function upload(bytes: Buffer, added: Record<string, string> = {}): Promise<string> {
  const response = await post('/api/v1/attachments', {
    ...{ filename: 'data.bin', contentType: 'application/x-data', size: bytes.length },
  });
  const { url, method, headers, uploadId } = ticketSchema.parse(await response.json());
  const { 'content-length': _set, ...others } = headers;
  const put = await fetch(url, {
    method,
    headers: { ...others, ...added },
    body: new Uint8Array(bytes),
  });
  expect(put.status).toBe(200);
  return uploadId;
}

describe('an inline attachment', () => {
  it('arrives byte for byte, under its name and type', async () => {
    const bytes = randomBytes(megabyte);

    const response = await send([
      { filename: 'Größe 😀.bin', contentBase64: bytes.toString('base64') },
      { filename: 'a.csv', contentType: 'text/csv', contentBase64: 'MSwy' },
    ]);

    const [binary, table] = await received(response);
    expect(binary?.filename).toBe('Größe 😀.bin');
    expect(binary?.bytes.equals(bytes)).toBe(true);
    expect(table).toEqual({
      filename: 'a.csv',
      contentType: 'text/csv',
      bytes: Buffer.from('1,2'),
    });
  });

  it('is part of the request that an idempotency key identifies', async () => {
    const fields = { idempotencyKey: 'attached-1' };
    const first = await send([{ filename: 'a.txt', contentBase64: 'AAAA' }], fields);
    const again = await send([{ filename: 'a.txt', contentBase64: 'AAAA' }], fields);

    const changed = await send([{ filename: 'a.txt', contentBase64: 'AAAB' }], fields);

    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await refusal(changed)).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
  });

  it.each([
    [400, 'too_many', 'attachments', Array(6).fill({ filename: 'a', contentBase64: '' })],
    [
      400,
      'invalid_base64',
      'attachments.0.contentBase64',
      [{ filename: 'a', contentBase64: `${'A'.repeat(1_000_000)}A==` }],
    ],
    [
      400,
      'validation_failed',
      'attachments.0.filename',
      [{ filename: 'run.exe', contentBase64: '' }],
    ],
  ])('is rejected with %i %s at %s', async (status, code, path, attachments) => {
    expect(await refusal(await send(attachments))).toEqual({ status, code, paths: [path] });
  });
});

/** Serves an image under any path but `/gone`, and redirects `/private` to a forbidden address. */
async function startFiles() {
  const picture = randomBytes(20_000);
  const requests: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    requests.push(url);
    if (url === '/gone') response.writeHead(404).end();
    else if (url === '/private') {
      response.writeHead(302, { location: 'https://169.254.169.254/latest/meta-data/' }).end();
    } else response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
  });
  const { url, stop } = await listen(server, 0);
  onTestFinished(stop);
  return { url, picture, requests };
}

describe('an attachment behind a URL', () => {
  it('is fetched once and arrives inside the HTML, however often it is used', async () => {
    const { url, picture, requests } = await startFiles();
    const fields = {
      htmlContent: '<p><img src="cid:logo@example.com"></p>',
      idempotencyKey: 'attached-by-url',
    };
    const attachments = [{ url: `${url}/logo.png?signature=a`, contentId: 'logo@example.com' }];

    const first = await send(attachments, fields);
    const again = await send(attachments, fields);

    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(requests).toEqual(['/logo.png?signature=a']);
    const [arrived] = await received(again);
    expect(arrived).toEqual({ filename: 'logo.png', contentType: 'image/png', bytes: picture });
    const { messageId } = sentSchema.parse(await first.json());
    const page = await fetch(`${baseUrl}/_local/html/${messageId}`);
    expect(page.headers.get('content-security-policy')).toContain('sandbox');
    expect(await page.text()).toContain(
      `<img src="data:image/png;base64,${picture.toString('base64')}">`,
    );
  });

  it('counts in the timeline with its bytes', async () => {
    const { url } = await startFiles();

    const response = await send([
      { filename: 'a.txt', contentBase64: 'AAAA' },
      { filename: 'b.png', url: `${url}/b` },
    ]);

    const { sendId } = z.object({ sendId: z.string() }).parse(await response.json());
    const timeline = await fetch(`${baseUrl}/api/v1/sends/${sendId}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    expect(await timeline.json()).toMatchObject({
      send: { attachmentCount: 2, attachmentBytes: 20_003 },
    });
  });

  it.each([
    ['/gone', 'answered 404'],
    [
      '/private',
      'redirects to a URL that must not lead to a private, loopback or reserved address',
    ],
  ])(
    'that fails (%s) refuses the send, and the key sends once the URL works',
    async (path, why) => {
      const { url } = await startFiles();
      const fields = { idempotencyKey: `attached-by-url${path}` };

      const refused = await send([{ filename: 'a.png', url: `${url}${path}` }], fields);
      const mended = await send([{ filename: 'a.png', url: `${url}/a` }], fields);

      expect(refused.status).toBe(422);
      expect(await refused.json()).toMatchObject({
        code: 'attachment_not_fetched',
        errors: [{ path: 'attachments.0.url', message: why }],
      });
      expect(mended.status).toBe(200);
    },
  );
});

describe('an uploaded attachment', () => {
  it('of 10 MB arrives byte for byte, with its uploaded type', async () => {
    const bytes = randomBytes(10 * megabyte);
    const uploadId = await upload(bytes);

    const [arrived] = await received(await send([{ filename: 'data.bin', uploadId }]));

    expect(arrived?.contentType).toBe('application/x-data');
    expect(arrived?.bytes.equals(bytes)).toBe(true);
  });

  it.each([
    ['a compressed file', gzipSync('1,2')],
    ['any other file', Buffer.from('1,2')],
  ])(
    'arrives unchanged when it was uploaded with a Content-Encoding and %s',
    async (_what, bytes) => {
      const uploadId = await upload(bytes, { 'content-encoding': 'gzip' });

      const [arrived] = await received(await send([{ filename: 'data.bin', uploadId }]));

      expect(arrived?.bytes.equals(bytes)).toBe(true);
    },
  );

  it('of one byte more than 10 MB gets no ticket', async () => {
    const response = await post('/api/v1/attachments', {
      ...{ filename: 'a.bin', size: 10 * megabyte + 1 },
    });

    expect(await refusal(response)).toMatchObject({ status: 413, code: 'too_large' });
  });

  it('is refused when it makes the total one byte more than 10 MB', async () => {
    const uploadId = await upload(randomBytes(10 * megabyte));

    const response = await send([
      { filename: 'data.bin', uploadId },
      { filename: 'one.bin', contentBase64: 'AA==' },
    ]);

    expect(await refusal(response)).toMatchObject({ status: 413, code: 'too_large' });
  });

  it.each([4, 6])('of %d bytes with a ticket for 5 is refused by its signature', async (length) => {
    const response = await post('/api/v1/attachments', {
      ...{ filename: 'data.bin', contentType: 'application/x-data', size: 5 },
    });
    const { url, method, headers } = ticketSchema.parse(await response.json());
    const { 'content-length': _set, ...others } = headers;

    const put = await fetch(url, { method, headers: others, body: new Uint8Array(length) });

    expect([put.status, await put.text()]).toEqual([
      403,
      expect.stringContaining('SignatureDoesNotMatch'),
    ]);
  });

  it("that never arrived isn't sent, and frees the key", async () => {
    const ticket = await post('/api/v1/attachments', {
      ...{ filename: 'data.bin', contentType: 'application/x-data', size: 5 },
    });
    const { uploadId } = ticketSchema.parse(await ticket.json());
    const fields = { idempotencyKey: 'attached-2' };

    const response = await send([{ filename: 'a.bin', uploadId }], fields);
    const retry = await send([{ filename: 'a.bin', contentBase64: 'AA==' }], fields);

    expect(await refusal(response)).toEqual({
      status: 400,
      code: 'unknown_upload',
      paths: ['attachments.0.uploadId'],
    });
    expect(retry.status).toBe(200);
  });

  it.each([
    ['that never came', (id: string) => `${id.slice(0, 20)}${'a'.repeat(16)}${id.slice(36)}`],
    ['of another organization', (id: string) => `upl_${'b'.repeat(16)}${id.slice(20)}`],
  ])('%s is unknown', async (_which, change) => {
    const uploadId = await upload(randomBytes(5));

    const response = await send([
      { filename: 'a.bin', uploadId },
      { filename: 'b.bin', uploadId: change(uploadId) },
    ]);

    expect(await refusal(response)).toEqual({
      status: 400,
      code: 'unknown_upload',
      paths: ['attachments.1.uploadId'],
    });
  });
});
