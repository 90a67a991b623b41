import { createTransport } from 'nodemailer';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { useFaultyService } from '../support/faulty-service.ts';
import type { ServiceCaller } from '../support/service-caller.ts';
import { endSmtp, startSmtp } from '../support/smtp-program.ts';

// The last email of a key's day is sent, and its answer is lost. The retry gets that answer on every API.

const service = await useFaultyService();
afterAll(endSmtp);

const from = 'hello@mail.example.com';
const to = 'ann@example.com';
const ours = { to, subject: 'Hi', content: 'Hi' };
const theirs = { from, to, subject: 'Hi', text: 'Hi' };
const postmarks = { From: from, To: to, Subject: 'Hi', TextBody: 'Hi' };
const sendAt = Date.now() + 3_600_000;

const newCaller = () => service.newCaller({ apiKey: { dailyCap: 1 }, hasWebhook: false });

async function post({ apiKey }: ServiceCaller, path: string, body: unknown, headers = {}) {
  const response = await fetch(`${service.url()}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': 'order-1',
      ...headers,
    },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    isReplay: response.headers.get('idempotency-replayed') === 'true',
    text: await response.text(),
  };
}

/** An id of ours or Postmark's, wherever it is. */
const idIn = (text: string): string | undefined => /snd_[a-z2-7]+/.exec(text)?.[0];

type Way = {
  readonly path: string;
  readonly what: string;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
};

const ways: readonly Way[] = [
  { path: '/api/v1/emails/send', what: 'an email', body: ours },
  { path: '/api/v1/emails/send-global', what: 'an email', body: ours },
  { path: '/api/v1/emails/send', what: 'an email for later', body: { ...ours, sendAt } },
  { path: '/api/v1/emails/batch', what: 'a permissive batch', body: { emails: [ours] } },
  {
    ...{ path: '/api/v1/emails/batch', what: 'a strict batch' },
    body: { emails: [ours], validation: 'strict' },
  },
  { path: '/resend/emails', what: 'an email', body: theirs },
  {
    ...{ path: '/resend/emails', what: 'an email for later' },
    body: { ...theirs, scheduled_at: 'in 1 hour' },
  },
  { path: '/resend/emails/batch', what: 'a strict batch', body: [theirs] },
  {
    ...{ path: '/resend/emails/batch', what: 'a permissive batch' },
    body: [theirs],
    headers: { 'x-batch-validation': 'permissive' },
  },
  { path: '/postmark/email', what: 'an email', body: postmarks },
  { path: '/postmark/email/batch', what: 'a batch', body: [postmarks] },
];

it.each(ways)(
  '$path replays the answer to $what even when its key’s day is used up',
  async (way) => {
    const { path, body, headers } = way;
    const caller = await newCaller();
    const first = await post(caller, path, body, headers);

    const again = await post(caller, path, body, headers);
    const another = await post(caller, path, body, { ...headers, 'idempotency-key': 'order-2' });

    expect(first.isReplay).toBe(false);
    expect(again).toMatchObject({ status: first.status, isReplay: true });
    expect(idIn(again.text)).toBe(idIn(first.text));
    expect(idIn(first.text)).toBeDefined();
    expect(another.status).toBe(429);
  },
);

it('SMTP accepts a repeated message even when its key’s day is used up', async () => {
  const caller = await newCaller();
  const { port } = await startSmtp(['--url', service.url()]);
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    auth: { user: 'apikey', pass: caller.apiKey },
    tls: { rejectUnauthorized: false },
  });
  onTestFinished(() => transport.close());
  const message = { from, to, subject: 'Hi', text: 'Hi', date: new Date(0) };

  await transport.sendMail({ ...message, messageId: '<one@x.example>' });
  await transport.sendMail({ ...message, messageId: '<one@x.example>' });
  const another = transport.sendMail({ ...message, messageId: '<two@x.example>' });

  await expect(another).rejects.toThrow('4');
  expect(await service.inbox()).toHaveLength(1);
});
