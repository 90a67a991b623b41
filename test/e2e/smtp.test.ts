import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { listen, readBody } from '../../infra/local/server.ts';
import { createApiCaller } from '../support/api-caller.ts';
import { buildApiKey } from '../support/api-key-builder.ts';
import { readInbox } from '../support/mailbox-inbox.ts';
import { ended } from '../support/manage-program.ts';
import { patience } from '../support/patience.ts';
import { endSmtp, smtpProgram, startSmtp } from '../support/smtp-program.ts';
import { hasTool } from '../support/tools.ts';
import { useTwin } from '../support/twin.ts';

const twin = await useTwin();
const folder = mkdtempSync(join(tmpdir(), 'smtp-'));
afterAll(async () => {
  endSmtp();
  rmSync(folder, { recursive: true });
});
const { baseUrl, apiKey, inboxUrl } = twin;
const from = 'Northwind <hello@mail.example.com>';
/** For all tests whose clients need nothing else: starting a program takes as long as a test. */
const { port, log } = await startSmtp(['--url', baseUrl]);

async function suppress(email: string): Promise<void> {
  const { manageKey } = twin;
  const response = await fetch(`${baseUrl}/api/v1/suppressions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${manageKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  expect(response.status).toBe(201);
}

const inboxOf = async (address: string) =>
  (await readInbox(inboxUrl)).filter(({ destination }) =>
    Object.values(destination)
      .flat()
      .some((given) => given.includes(address)),
  );

type Login = { readonly pass?: string; readonly ignoreTLS?: boolean };

/** `nodemailer`, as released. */
function openTransport(port: number, { pass = apiKey, ...options }: Login = {}) {
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    auth: { user: 'apikey', pass },
    tls: { rejectUnauthorized: false },
    ...options,
  });
  onTestFinished(() => transport.close());
  return {
    transport,
    send: (message: SendMailOptions) =>
      transport.sendMail({ from, subject: 'Hello', text: 'Hello', ...message }),
    /** The reply to a message that isn't accepted. */
    refusal: (message: SendMailOptions): Promise<string> =>
      transport.sendMail({ from, subject: 'Hello', text: 'Hello', ...message }).then(
        ({ response }) => `taken: ${response}`,
        (error: unknown) =>
          error instanceof Error && 'response' in error ? String(error.response) : `${error}`,
      ),
  };
}

describe('an SMTP client', () => {
  it('sends every part of an email, and keeps bcc hidden', async () => {
    const { send } = openTransport(port);

    const { response } = await send({
      to: 'Ann <ann@example.com>',
      cc: 'carl@example.com',
      bcc: 'bob@example.com',
      replyTo: 'help@example.com',
      subject: 'Your receipt, Jürgen',
      text: 'Thank you',
      html: '<p>Thank you <img src="cid:logo"></p>',
      headers: { 'X-Order': '7', 'X-Tag': 'kind:receipt' },
      attachments: [
        { filename: 'receipt.txt', content: 'paid' },
        { filename: 'logo.png', content: Buffer.from('iVBORw0KGgo=', 'base64'), cid: 'logo' },
      ],
    });

    expect(response).toMatch(/^250 OK fbk_\S+ sent$/);
    const [email] = await inboxOf('ann@example.com');
    expect(email).toMatchObject({
      subject: 'Your receipt, Jürgen',
      destination: { cc: [expect.stringContaining('carl@')], bcc: ['bob@example.com'] },
      headers: expect.arrayContaining([{ name: 'X-Order', value: '7' }]),
    });
    expect(email?.body.html).toContain('src="cid:image-');
    await vi.waitUntil(() => log().includes('"reply":250'), patience);
    // No shorter words: the ids in it are random letters.
    expect(log()).not.toMatch(/@|Jürgen|Thank you|receipt|esk_|snd_/);
  });

  it('gets one email for twenty concurrent repetitions of one Message-ID', async () => {
    const message = { to: 'once@example.com', messageId: '<once@example.com>' };
    const clients = Array.from({ length: 20 }, () => openTransport(port));

    const replies = await Promise.all(clients.map(({ refusal }) => refusal(message)));
    const last = await openTransport(port).send(message);

    expect(replies.every((reply) => /^taken: 250|^451 idempotency_in_progress/.test(reply))).toBe(
      true,
    );
    expect(last.response).toMatch(/^250 OK fbk_/);
    expect(await inboxOf('once@example.com')).toHaveLength(1);
  });

  it('gets one email for a Message-ID whose images get new IDs with each try', async () => {
    const { send } = openTransport(port);
    const rendered = (cid: string) =>
      send({
        ...{ to: 'rendered@example.com', messageId: '<rendered@example.com>' },
        html: `<img src="cid:${cid}">`,
        attachments: [{ filename: 'logo.png', content: 'logo', cid }],
      });

    const first = await rendered('1@mac.example');
    const second = await rendered('2@mac.example');

    expect(second.response).toBe(first.response);
    expect(await inboxOf('rendered@example.com')).toHaveLength(1);
  });

  it('gets one email for a Message-ID longer than an idempotency key', async () => {
    const message = { to: 'long@example.com', messageId: `<${'x'.repeat(900)}@example.com>` };
    const { send } = openTransport(port);

    const first = await send(message);
    const second = await send(message);

    expect(second.response).toBe(first.response);
    expect(await inboxOf('long@example.com')).toHaveLength(1);
  });

  it('may leave retries to the service with --queued', async () => {
    const { port } = await startSmtp(['--url', baseUrl, '--queued']);

    const { response } = await openTransport(port).send({ to: 'queued@example.com' });

    expect(response).toMatch(/^250 OK fbk_\S+ queued$/);
    await vi.waitFor(
      async () => expect(await inboxOf('queued@example.com')).toHaveLength(1),
      patience,
    );
  });

  it.each([
    ['without a top-level domain', 'root@localhost'],
    ['at an IP address', 'root@[127.0.0.1]'],
    ['at a number', 'root@mail.1'],
    ['with letters before the @', 'jürgen@example.com'],
    ['with too much before the @', `${'x'.repeat(65)}@example.com`],
    ['with too long a label', `root@${'x'.repeat(64)}.example`],
  ])(
    'gets an error for an address the API rejects, %s, and the others get the email',
    async (_, address) => {
      const { send } = openTransport(port);

      const { response, rejected, rejectedErrors } = await send({
        ...{ to: 'beside@example.com', subject: `Beside ${address}` },
        envelope: { from: 'hello@mail.example.com', to: [address, 'beside@example.com'] },
      });

      expect(response).toMatch(/^250 OK fbk_/);
      expect(rejected).toHaveLength(1);
      expect(`${rejectedErrors}`).toMatch(/553 invalid_recipient: The address must /);
      expect(await inboxOf('beside@example.com')).toEqual(
        expect.arrayContaining([expect.objectContaining({ subject: `Beside ${address}` })]),
      );
    },
  );

  it('reaches people at emoji domains', async () => {
    await openTransport(port).send({ to: 'ann@💩.la' });

    expect(await inboxOf('ann@xn--ls8h.la')).toHaveLength(1);
  });

  it('gets 250 for a suppressed recipient, as the API says 200, and 554 for another content with the same Message-ID', async () => {
    await suppress('gone@example.com');
    const { send, refusal } = openTransport(port);
    const messageId = '<gone@example.com>';

    const suppressed = await send({ to: 'gone@example.com', messageId });
    const reused = await refusal({ to: 'gone@example.com', messageId, text: 'Something else' });

    expect(suppressed.response).toMatch(/^250 OK fbk_\S+ suppressed$/);
    expect(reused).toMatch(/^554 idempotency_key_reused: /);
    expect(await inboxOf('gone@example.com')).toEqual([]);
  });

  it.each([
    ['another organization’s domain', { from: 'x@elsewhere.example' }, /^554 no_active_identity: /],
    ['a subject that is too long', { subject: 'x'.repeat(999) }, /^554 validation_failed: /],
    [
      'a header that the service sets',
      { headers: { 'Feedback-ID': 'x' } },
      /^554 validation_failed: /,
    ],
    ['too many bytes', { text: 'x'.repeat(7_000_000) }, /^552 /],
    [
      'blind copies only',
      { to: [], bcc: ['a@example.com', 'b@example.com'] },
      /^554 no_visible_recipient: /,
    ],
  ])('is refused with the reason: %s', async (_, message, reply) => {
    const given = await openTransport(port).refusal({ to: 'refused@example.com', ...message });

    expect(given).toMatch(reply);
    expect(await inboxOf('refused@example.com')).toEqual([]);
  });
});

describe('an API key over SMTP', () => {
  it.each([
    'wrong',
    'esk_wrong',
    apiKey.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
    'esk_test_wrong',
    // Anyone can compute a checksum.
    buildApiKey({ test: true }).text,
    `re_${buildApiKey({ test: true }).text}`,
    buildApiKey().text,
  ])('is refused at login when it is invalid: %#', async (pass) => {
    const reply = await openTransport(port, { pass }).refusal({ to: 'ann@example.com' });

    expect(reply).toMatch(/^535 invalid_api_key/);
  });

  it("for tests logs in and sends, and its login isn't recorded as a refused request", async () => {
    const { manageKey } = twin;
    const call = createApiCaller(baseUrl, manageKey);
    const made = await call('POST', '/api/v1/api-keys', { body: { name: 'ci', test: true } });
    const { id, key } = z.object({ id: z.string(), key: z.string() }).parse(made.json);

    const { response } = await openTransport(port, { pass: key }).send({ to: 'ci@example.com' });

    const refused = await call('GET', '/api/v1/requests');
    expect(response).toMatch(/^250 OK fbk_\S+ sent$/);
    expect(JSON.stringify(refused.json)).not.toContain(id);
  });
});

/** A message as sent over the wire. */
const raw = (to: string, ...lines: readonly string[]): SendMailOptions => ({
  envelope: { from: 'hello@mail.example.com', to },
  raw: [`From: ${from}`, `To: ${to}`, 'Subject: Raw', ...lines].join('\r\n'),
});

describe('hostile MIME', () => {
  const nested = Array.from({ length: 5_000 }, (_, depth) =>
    [`Content-Type: multipart/mixed; boundary=b${depth}`, '', `--b${depth}`].join('\r\n'),
  );
  it.each([
    ['thousands of nested parts', nested, /^554 /],
    ['a header of a megabyte', [`X-Long: ${' x'.repeat(500_000)}`, '', 'Hi'], /^554 /],
    [
      'a header that hides another',
      ['Subject: a', ' Bcc: eve@example.com', '', 'Hi'],
      /^(taken|554)/,
    ],
    ['a prototype as a header', ['__proto__: x', '', 'Hi'], /^(taken: 250|554) /],
    ['two senders', ['From: eve@example.com', '', 'Hi'], /^554 several_senders/],
    [
      'a signature',
      ['Content-Type: multipart/signed; boundary=b', '', '--b--'],
      /^554 unalterable_message/,
    ],
    [
      'a line break in an encoded name',
      ['Reply-To: =?utf-8?Q?a=0D=0ABcc:_eve=40example.com?= <a@example.com>', '', 'Hi'],
      /^(taken: 250|554) /,
    ],
  ])('gets a reply, and is sent to no one else: %s', async (_, lines, reply) => {
    const { refusal } = openTransport(port);

    const given = await refusal(raw('hostile@example.com', ...lines));
    const next = await refusal({ to: 'hostile@example.com' });

    expect(given).toMatch(reply);
    expect(next).toMatch(/^taken: 250/);
    expect(log()).not.toMatch(/"fault"/);
    expect(await inboxOf('eve@example.com')).toEqual([]);
  });
});

/** Logs in and starts a message that never ends. */
async function standStill(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const lines = createInterface(socket)[Symbol.asyncIterator]();
  const reply = async (code: string) => {
    for (;;) {
      const { value } = await lines.next();
      if (`${value}`.startsWith(`${code} `)) return;
    }
  };
  await reply('220');
  const login = Buffer.from(`\0apikey\0${apiKey}`).toString('base64');
  const steps = [
    ['EHLO client', '250'],
    [`AUTH PLAIN ${login}`, '235'],
    ['MAIL FROM:<hello@mail.example.com>', '250'],
    ['RCPT TO:<slow@example.com>', '250'],
    ['DATA', '354'],
  ] as const;
  for (const [command, code] of steps) {
    socket.write(`${command}\r\n`);
    await reply(code);
  }
  socket.write('Subject: Slow\r\n');
}

describe('a crowd of connections', () => {
  it('delays no one when twenty of them stall mid-message', async () => {
    const { port } = await startSmtp(['--url', baseUrl, '--max-messages', '2']);
    await Promise.all(Array.from({ length: 20 }, () => standStill(port)));

    const given = await openTransport(port).refusal({ to: 'beside-slow@example.com' });

    expect(given).toMatch(/^taken: 250 OK fbk_/);
    expect(await inboxOf('beside-slow@example.com')).toHaveLength(1);
  });

  it('from one address, beyond --max-connections-each, is turned away while others have room', async () => {
    const { port } = await startSmtp(['--url', baseUrl, '--max-connections-each', '1']);
    const first = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    onTestFinished(() => void first.destroy());
    await once(first, 'data');
    const second = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    onTestFinished(() => void second.destroy());

    const [refused] = await once(second, 'data');
    const other = await openTransport(port).refusal({ to: 'crowd@example.com' });

    expect(`${refused}`).toMatch(/^421 /);
    expect(other).toMatch(/^taken/);
  });

  it('beyond --max-connections is turned away and may retry', async () => {
    const { port } = await startSmtp(['--url', baseUrl, '--max-connections', '1']);
    const first = connect(port, '127.0.0.1');
    onTestFinished(() => void first.destroy());
    await once(first, 'data');

    const refused = await openTransport(port).refusal({ to: 'crowd@example.com' });
    first.destroy();

    expect(refused).toMatch(/^421 /);
    await vi.waitFor(
      async () =>
        expect(await openTransport(port).refusal({ to: 'crowd@example.com' })).toMatch(/^taken/),
      patience,
    );
  });

  it('beyond --max-messages waits, and all are sent', async () => {
    const held: ServerResponse[] = [];
    const service = await startService((response) => void held.push(response));
    const { port } = await startSmtp(['--url', service, '--max-messages', '2']);
    const replies = Promise.all(
      [1, 2, 3, 4, 5].map(() => openTransport(port).refusal({ to: 'crowd@example.com' })),
    );
    const heldCounts: number[] = [];
    for (let left = 5; left > 0; left -= 1) {
      await vi.waitFor(
        () => expect(held.length).toBeGreaterThanOrEqual(Math.min(2, left)),
        patience,
      );
      await sleep(200);
      heldCounts.push(held.length);
      const [next] = held.splice(0, 1);
      if (next) answering(200, { sendId: 'snd_1', status: 'sent' })(next);
    }

    expect(await replies).toEqual(Array.from({ length: 5 }, () => 'taken: 250 OK sent'));
    expect(Math.max(...heldCounts)).toBe(2);
  });
});

/** A connection to the twin that loses the first answers to sends, after the twin has done its work. */
async function startLossyProxy(losses: number): Promise<string> {
  let left = losses;
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url = '/' } = request;
    const headers = Object.fromEntries(
      ['authorization', 'content-type', 'idempotency-key'].flatMap((name) => {
        const value = request.headers[name];
        return value === undefined ? [] : [[name, `${value}`]];
      }),
    );
    const body = await readBody(request);
    const isSend = method === 'POST';
    const answer = await fetch(new URL(url, baseUrl), {
      method,
      headers,
      ...(isSend && body && { body: new Uint8Array(body) }),
    });
    const text = await answer.text();
    if (isSend && left > 0) {
      left -= 1;
      response.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  };
  const server = await listen(
    createServer((request, response) => void forward(request, response)),
    0,
  );
  onTestFinished(server.stop);
  return server.url;
}

it('an email whose answer was lost gets 451, and the client’s repetition gets its id', async () => {
  const { port } = await startSmtp(['--url', await startLossyProxy(2)]);
  const message = { to: 'lost@example.com', messageId: '<lost@example.com>' };
  const { refusal } = openTransport(port);

  const replies = [await refusal(message), await refusal(message), await refusal(message)];

  expect(replies).toEqual([
    expect.stringMatching(/^451 no_answer/),
    expect.stringMatching(/^451 no_answer/),
    expect.stringMatching(/^taken: 250 OK fbk_\S+ sent$/),
  ]);
  expect(await inboxOf('lost@example.com')).toHaveLength(1);
});

const services: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(services.map((stop) => stop())));

/** A deployment that accepts every key, and gives this answer to each send. */
async function startService(answer: (response: ServerResponse) => void): Promise<string> {
  const server = await listen(
    createServer((request, response) => {
      request.resume();
      if (request.method === 'GET') return void response.end('{}');
      return answer(response);
    }),
    0,
  );
  services.push(server.stop);
  return server.url;
}

const answering =
  (status: number, body: unknown, headers = {}) =>
  (response: ServerResponse) =>
    void response
      .writeHead(status, headers)
      .end(typeof body === 'string' ? body : JSON.stringify(body));

describe('a failing service', () => {
  let inTrouble = answering(200, {});
  let port = 0;
  beforeAll(async () => {
    const url = await startService((response) => inTrouble(response));
    ({ port } = await startSmtp(['--url', url]));
  });

  it.each([
    ['hangs up', (response: ServerResponse) => void response.destroy(), /^451 no_answer/],
    ['is another', answering(200, '<html>'), /^451 unknown_answer/],
    ['is behind a broken proxy', answering(502, '<html>'), /^451 unknown_answer/],
    [
      'throttles',
      answering(429, { code: 'rate_limited', detail: 'Wait.' }, { 'retry-after': '7' }),
      /^451 rate_limited: Wait\. \(try again in 7 s\)/,
    ],
    [
      'does not know the outcome',
      answering(500, { code: 'provider_outcome_unknown', detail: 'Maybe.' }),
      /^451 provider_outcome_unknown/,
    ],
    ['knows SES refuses it', answering(500, { code: 'provider_rejected', detail: 'No' }), /^554 /],
    ['no longer takes the key', answering(401, { code: 'invalid_api_key', detail: 'No' }), /^535 /],
    [
      'cannot ask whether the plan has attachments',
      answering(402, { code: 'plan_required', detail: 'Unclear.' }, { 'retry-after': '5' }),
      /^451 plan_required: Unclear\. \(try again in 5 s\)/,
    ],
    [
      'knows that the plan has none',
      answering(402, { code: 'plan_required', detail: 'No.' }),
      /^554 /,
    ],
    ['takes no such size', answering(413, { message: 'Request Too Long' }), /^552 /],
  ])('%s', async (_, answer, reply) => {
    inTrouble = answer;

    const given = await openTransport(port).refusal({ to: 'ann@example.com' });

    expect(given).toMatch(reply);
  });

  it('makes the login fail temporarily when it is unreachable', async () => {
    const gone = await listen(createServer(), 0);
    await gone.stop();
    const { port } = await startSmtp(['--url', gone.url]);

    const given = await openTransport(port).refusal({ to: 'ann@example.com' });

    expect(given).toMatch(/^454 /);
  });

  it('is waited for when the program is stopped', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<ServerResponse>();
    const { port, stop } = await startSmtp(['--url', await startService(ask)]);
    const reply = openTransport(port).refusal({ to: 'ann@example.com' });
    const response = await asked;

    const stopped = stop();
    await sleep(300);
    answering(200, { sendId: 'snd_1', status: 'sent' })(response);

    expect(await reply).toBe('taken: 250 OK sent');
    expect(await stopped).toBe(0);
  });
});

const hasOpenssl = hasTool('openssl', 'version');

describe('a listener beyond loopback', () => {
  it.runIf(hasOpenssl)(
    'accepts no password before STARTTLS, and everything works after it',
    async () => {
      const { cert, key } = makeCertificate();
      const { port } = await startSmtp([
        ...['--url', baseUrl, '--host', '0.0.0.0', '--cert', cert, '--key', key],
      ]);
      const inTheClear = openTransport(port, { ignoreTLS: true });

      const refused = await inTheClear.refusal({ to: 'tls@example.com' });
      const { response } = await openTransport(port).send({ to: 'tls@example.com' });

      expect(refused).toMatch(/^5(30|38) /);
      expect(response).toMatch(/^250 OK fbk_/);
      expect(await inboxOf('tls@example.com')).toHaveLength(1);
    },
  );

  it.each([
    [['--host', '0.0.0.0'], /give --cert and --key/],
    [['--cert', 'package.json', '--key', 'package.json'], /must be a certificate/],
    [['--url', 'http://example.com'], /isn't an https/],
    [['--port', 'x'], /--port must be a whole number/],
    [['--nonsense'], /--nonsense/],
  ])("doesn't start with %j", async (args, words) => {
    const child = spawn(process.execPath, [smtpProgram, '--url', baseUrl, ...args]);

    const end = await ended(child);

    expect(end).toMatchObject({ exitCode: 2, words: expect.stringMatching(words) });
  });
});

const hasPython = hasTool('python3');

it.runIf(hasPython)(
  'Python’s smtplib sends what EmailMessage makes, with an email in it and without a Message-ID',
  async () => {
    const program = `
import os, smtplib
from email.message import EmailMessage
message = EmailMessage()
message["From"] = "hello@mail.example.com"
message["To"] = "python@example.com"
message["Subject"] = "Grüße"
message.set_content("Hello")
message.add_alternative("<p>Hello</p>", subtype="html")
message.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="a.pdf")
inner = EmailMessage()
inner["Subject"] = "Inner"
inner.set_content("Hello")
message.add_attachment(inner)
with smtplib.SMTP("127.0.0.1", ${port}) as client:
    client.login("apikey", os.environ["KEY"])
    client.send_message(message)
    try:
        client.sendmail("hello@mail.example.com", ["python@example.com"], b"Feedback-ID: x\\r\\nSubject: x\\r\\n\\r\\nHi")
    except smtplib.SMTPDataError as error:
        print(error.smtp_code)
`;

    const { stdout } = await promisify(execFile)('python3', ['-c', program], {
      env: { ...process.env, KEY: apiKey },
    });

    expect(stdout.trim()).toBe('554');
    expect(await inboxOf('python@example.com')).toMatchObject([{ subject: 'Grüße' }]);
  },
);

/** Self-signed, made by openssl. */
function makeCertificate() {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  execFileSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-subj', '/CN=localhost', '-days', '2', '-out', cert, '-keyout', key],
  ]);
  return { cert, key };
}
