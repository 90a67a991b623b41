import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Resend } from 'resend';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { resendApi } from '#shared/resend/unsupported-routes';
import { listen } from '../../infra/local/server.ts';
import { readInbox } from '../support/mailbox-inbox.ts';
import { patience } from '../support/patience.ts';
import { useTwin } from '../support/twin.ts';

/** Resend's own client, as released; only its address and key differ. */
const { baseUrl, apiKey, manageKey, inboxUrl } = await useTwin();
const clientWith = (key: string) => new Resend(key, { baseUrl: `${baseUrl}/resend` });
const resend = clientWith(`re_${apiKey}`);
/** Resend’s keys may do everything by default. */
const full = clientWith(`re_${manageKey}`);
const from = 'Northwind <hello@mail.example.com>';

const inboxOf = async (address: string) =>
  (await readInbox(inboxUrl)).filter(({ destination }) => destination?.to.includes(address));

describe('Resend’s client for Node.js', () => {
  it('sends an email with every field it supports', async () => {
    const file = await listen(
      createServer((_, response) => {
        response.writeHead(200, { 'content-type': 'text/csv' }).end('a,b');
      }),
      0,
    );
    onTestFinished(file.stop);

    const { data, error } = await resend.emails.send({
      from,
      to: ['all@example.com'],
      cc: 'carl@example.com',
      bcc: 'dora@example.com',
      replyTo: 'help@example.com',
      subject: 'Your receipt',
      html: '<p>Thank you <img src="cid:logo"></p>',
      text: 'Thank you',
      headers: { 'X-Order': '7' },
      tags: [{ name: 'kind', value: 'receipt' }],
      attachments: [
        { filename: 'receipt.txt', content: Buffer.from('paid'), contentType: 'text/plain' },
        { filename: 'logo.png', content: 'iVBORw0KGgo=', contentId: 'logo' },
        { filename: 'orders.csv', path: `${file.url}/orders` },
      ],
    });

    expect(error).toBeNull();
    expect(data).toEqual({ id: expect.stringMatching(/^snd_/) });
    expect(await inboxOf('all@example.com')).toMatchObject([
      {
        from: '"Northwind" <hello@mail.example.com>',
        replyTo: ['help@example.com'],
        destination: {
          ...{ to: ['all@example.com'], cc: ['carl@example.com'], bcc: ['dora@example.com'] },
        },
        subject: 'Your receipt',
        body: { html: expect.stringContaining('<p>Thank you <img'), text: 'Thank you' },
        headers: [{ name: 'X-Order', value: '7' }],
        attachments: [
          { filename: 'receipt.txt', content: btoa('paid'), contentType: 'text/plain' },
          { filename: 'logo.png', content: 'iVBORw0KGgo=', contentId: 'logo' },
          { filename: 'orders.csv', content: btoa('a,b'), contentType: 'text/csv' },
        ],
      },
    ]);
  });

  it('sends one email for thirty concurrent requests with one key', async () => {
    const requests = Array.from({ length: 30 }, () =>
      resend.emails.send(
        { from, to: 'once@example.com', subject: 'Once', text: 'Hello' },
        { idempotencyKey: 'once' },
      ),
    );

    const answers = await Promise.all(requests);

    const names = answers.map(({ error }) => error?.name ?? 'sent');
    expect(names).toContain('sent');
    expect(new Set(names)).toEqual(
      new Set(['sent', ...names.filter((name) => name === 'concurrent_idempotent_requests')]),
    );
    expect(await inboxOf('once@example.com')).toHaveLength(1);
  });

  it('repeats a relative time with the same key', async () => {
    const later = () =>
      resend.emails.send(
        {
          from,
          to: 'later@example.com',
          subject: 'Later',
          text: 'Hello',
          scheduledAt: 'in 1 hour',
        },
        { idempotencyKey: 'later' },
      );

    const [first, second] = [await later(), await later()];

    expect(first.error).toBeNull();
    expect(second.data).toEqual(first.data);
  });

  it.each([
    ['a wrong key', clientWith('re_123'), {}, 'invalid_api_key', 403],
    ['no subject', resend, { subject: '' }, 'validation_error', 422],
    ['an address at fault', resend, { to: 'nobody' }, 'validation_error', 422],
    ['a domain that is not its own', resend, { from: 'a@other.example' }, 'validation_error', 403],
    ['a topic', resend, { topicId: 'top_1' }, 'validation_error', 422],
    [
      'a header set here',
      resend,
      { headers: { 'List-Unsubscribe': '<https://a.example>' } },
      'validation_error',
      422,
    ],
  ])('gets the error for %s that Resend gives', async (_, client, fields, name, statusCode) => {
    const { data, error } = await client.emails.send({
      ...{ from, to: 'ann@example.com', subject: 'Hello', text: 'Hello' },
      ...fields,
    });

    expect(data).toBeNull();
    expect(error).toMatchObject({ name, statusCode, message: expect.stringMatching(/\w/) });
  });

  it('gets an error for another email with a used key', async () => {
    const send = (subject: string) =>
      resend.emails.send(
        { from, to: 'ann@example.com', subject, text: 'Hello' },
        { idempotencyKey: 'used' },
      );
    await send('One');

    const { error } = await send('Two');

    expect(error).toMatchObject({ name: 'invalid_idempotent_request', statusCode: 409 });
  });
});

const hello = (fields: object = {}) => ({
  ...{ from, to: 'ann@example.com', subject: 'Hello', text: 'Hello' },
  ...fields,
});
const idOf = (answer: { readonly data: { readonly id: string } | null }): string =>
  answer.data?.id ?? '';

describe('Resend’s client for Node.js, after it has sent', () => {
  it('follows an email until it is delivered', async () => {
    const sent = await full.emails.send(
      hello({
        cc: 'carl@example.com',
        replyTo: 'help@example.com',
        tags: [{ name: 'a', value: 'b' }],
      }),
    );

    await vi.waitUntil(async () => {
      const { data } = await full.emails.get(idOf(sent));
      return data?.last_event === 'delivered';
    }, patience);

    const { data } = await full.emails.get(idOf(sent));
    expect(data).toMatchObject({
      object: 'email',
      id: idOf(sent),
      from,
      to: ['ann@example.com'],
      cc: ['carl@example.com'],
      bcc: [],
      reply_to: ['help@example.com'],
      subject: 'Hello',
      message_id: expect.any(String),
      scheduled_at: null,
      tags: [{ name: 'a', value: 'b' }],
    });
    expect(Date.parse(data?.created_at ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });

  it('sends by the alias of a template', async () => {
    const created = await fetch(`${baseUrl}/api/v1/templates`, {
      method: 'POST',
      headers: { authorization: `Bearer ${manageKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ name: 'Welcome', alias: 'welcome', subject: 'Welcome, {{name}}' },
        content: 'Hello {{name}}',
      }),
    });
    expect(created.ok).toBe(true);

    const { error } = await full.emails.send({
      ...{ from, to: 'tess@example.com', subject: 'Hello' },
      template: { id: 'welcome', variables: { name: 'Tess' } },
    });

    expect(error).toBeNull();
    const [email] = await inboxOf('tess@example.com');
    expect(email?.body.text).toContain('Hello Tess');
  });

  it('sees that an email to a suppressed address was suppressed', async () => {
    const to = 'bounce@simulator.amazonses.com';
    const first = await full.emails.send(hello({ to }));
    await vi.waitUntil(async () => {
      const { data } = await full.emails.get(idOf(first));
      return data?.last_event === 'bounced';
    }, patience);

    const second = await full.emails.send(hello({ to }));

    expect((await full.emails.get(idOf(second))).data?.last_event).toBe('suppressed');
  });

  it('moves an email, cancels it, and gets an error when it is too late for both', async () => {
    const scheduled = await full.emails.send(hello({ scheduledAt: 'in 1 hour' }));
    const id = idOf(scheduled);
    const at = new Date(Date.now() + 7_200_000).toISOString();

    const moved = await full.emails.update({ id, scheduledAt: at });
    const seen = await full.emails.get(id);
    const canceled = await full.emails.cancel(id);
    const late = await full.emails.update({ id, scheduledAt: 'in 2 hours' });

    expect(moved.data).toEqual({ object: 'email', id });
    expect(seen.data).toMatchObject({ last_event: 'scheduled', scheduled_at: at });
    expect(canceled.data).toEqual({ object: 'email', id });
    expect((await full.emails.get(id)).data?.last_event).toBe('canceled');
    expect(late.error).toMatchObject({ statusCode: 409, name: 'validation_error' });
  });

  it('pages through its emails in both directions', async () => {
    const sent: string[] = [];
    for (const subject of ['1', '2', '3', '4', '5']) {
      sent.push(idOf(await full.emails.send(hello({ subject }))));
    }
    const [first = '', second, third = '', fourth, fifth] = sent;
    // An index shows a send a moment later.
    await vi.waitUntil(async () => {
      const { data } = await full.emails.list({ limit: 1 });
      return data?.data[0]?.id === fifth;
    }, patience);
    const idsOf = async (page: Parameters<typeof full.emails.list>[0]) => {
      const { data } = await full.emails.list(page);
      return [data?.data.map(({ id }) => id), data?.has_more];
    };

    expect(await idsOf({ limit: 2 })).toEqual([[fifth, fourth], true]);
    expect(await idsOf({ limit: 2, after: fourth ?? '' })).toEqual([[third, second], true]);
    expect(await idsOf({ limit: 1, before: third })).toEqual([[fourth], true]);
    expect(await idsOf({ limit: 5, before: third })).toEqual([[fifth, fourth], false]);
    expect(await idsOf({ limit: 2, before: first })).toEqual([[third, second], true]);
    const { error } = await full.emails.list({ after: 'snd_1' });
    expect(error).toMatchObject({ name: 'validation_error', statusCode: 422 });
  });

  it.each([
    ['metrics', () => full.emails.metrics(), 'metrics'],
    ['attachments', () => full.emails.attachments.list({ emailId: 'snd_1' }), 'attachments'],
    ['a link to share', () => full.emails.share('snd_1'), 'links'],
    ['received emails', () => full.emails.receiving.list(), 'receiving'],
    ['audiences', () => full.segments.list(), 'segments'],
    ['broadcasts', () => full.broadcasts.list(), 'broadcasts'],
  ])('gets an error that there are no %s', async (_, ask, word) => {
    const { error } = await ask();

    expect(error).toMatchObject({ name: 'not_found', statusCode: 404 });
    expect(error?.message).toContain(`no ${word}`);
  });
});

describe('a Resend feature that this service lacks', () => {
  it.each(resendApi.unsupported.flatMap(({ what, paths }) => paths.map((path) => [path, what])))(
    'is rejected at %s as %s',
    async (path, what) => {
      const url = `${baseUrl}/resend${path.replaceAll(/\{[^}]*\}/g, 'any')}`;
      const response = await fetch(url, { method: 'POST' });

      expect(await response.json()).toMatchObject({
        ...{ statusCode: 404, name: 'not_found' },
        message: expect.stringContaining(`no ${what}`),
      });
    },
  );
});

describe('a batch of Resend’s client for Node.js', () => {
  const emails = [
    hello({ to: 'b1@example.com' }),
    hello({ to: 'nobody' }),
    hello({ to: 'b2@example.com' }),
  ];

  it('sends nothing if one email is invalid', async () => {
    const { data, error } = await resend.batch.send(emails);

    expect(data).toBeNull();
    expect(error).toMatchObject({ name: 'validation_error', statusCode: 422 });
    expect(error?.message).toContain('emails.1.to');
    expect(await inboxOf('b1@example.com')).toHaveLength(0);
  });

  const fromStranger = hello({ from: 'hello@stranger.example' });
  const brokenFile = hello({ attachments: [{ filename: 'a.txt', content: 'no base64' }] });

  it.each([
    ['senders', [fromStranger, hello(), fromStranger], 'emails.2.from'],
    ['attachments', [hello(), brokenFile], 'emails.1.attachments.0.content'],
  ])("gets a single email's error if only %s are invalid", async (_, list, place) => {
    const alone = await resend.emails.send(list.at(-1) ?? hello());

    const { error } = await resend.batch.send(list);

    expect(error).toMatchObject({ name: alone.error?.name, statusCode: alone.error?.statusCode });
    expect(error?.message).toContain(`\`${place}\``);
  });

  it("gets the used key's error if it is repeated with another email", async () => {
    const options = { idempotencyKey: 'used-by-a-batch' };
    await resend.batch.send([hello(), hello()], options);

    const { error } = await resend.batch.send([hello(), hello({ subject: 'Another' })], options);

    expect(error).toMatchObject({ name: 'invalid_idempotent_request', statusCode: 409 });
    expect(error?.message).toContain('`emails.1`');
  });

  it('gets one error for errors of several kinds', async () => {
    const { error } = await resend.batch.send([fromStranger, brokenFile]);

    expect(error).toMatchObject({ name: 'validation_error', statusCode: 422 });
    expect(error?.message).toMatch(/`emails\.0\.from`.*`emails\.1\./s);
  });

  it('sends the valid emails if it is permissive, once', async () => {
    const options = { batchValidation: 'permissive', idempotencyKey: 'digest' } as const;

    const first = await resend.batch.send(emails, options);
    const again = await resend.batch.send(emails, options);

    expect(first.data?.data).toHaveLength(2);
    expect(first.data?.errors).toEqual([{ index: 1, message: expect.stringContaining('`to`') }]);
    expect(again.data).toEqual(first.data);
    expect(await inboxOf('b1@example.com')).toHaveLength(1);
    expect(await inboxOf('b2@example.com')).toHaveLength(1);
  });

  it.each([
    ['no email', []],
    ['too many', Array.from({ length: 101 }, () => hello())],
  ])('is rejected with %s', async (_, list) => {
    const { error } = await resend.batch.send(list);

    expect(error).toMatchObject({ name: 'validation_error', statusCode: 422 });
  });
});

describe('a key with a cap', () => {
  it('gets Resend’s headers, and Resend’s error once it is used up', async () => {
    const created = await fetch(`${baseUrl}/api/v1/api-keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${manageKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'capped', scopes: ['send_email'], perMinuteCap: 1 }),
    });
    const { key } = z.object({ key: z.string() }).parse(await created.json());
    const capped = clientWith(`re_${key}`);

    const first = await capped.emails.send(hello());
    // Of three requests, at least two fall into one minute, even if a new minute starts in between.
    const others = [await capped.emails.send(hello()), await capped.emails.send(hello())];

    const refused = others.find(({ error }) => error !== null);
    expect(first.headers).toMatchObject({
      'ratelimit-limit': '1',
      'ratelimit-remaining': '0',
      'ratelimit-reset': expect.stringMatching(/^\d+$/),
    });
    expect(refused?.error).toMatchObject({ name: 'rate_limit_exceeded', statusCode: 429 });
    expect(refused?.headers).toMatchObject({ 'retry-after': expect.stringMatching(/^\d+$/) });
  });
});

describe('a program written for Resend', () => {
  it('runs with only two environment variables changed', async () => {
    const program = spawn(process.execPath, ['test/support/resend-program.mjs'], {
      env: {
        ...process.env,
        RESEND_BASE_URL: `${baseUrl}/resend`,
        RESEND_API_KEY: `re_${manageKey}`,
      },
    });
    const [output, errors] = await Promise.all([
      text(program.stdout),
      text(program.stderr),
      program.exitCode ?? once(program, 'exit'),
    ]);

    expect(errors).toBe('');
    expect(JSON.parse(output)).toEqual({ data: { id: expect.stringMatching(/^snd_/) } });
    const [email] = await inboxOf('delivered@resend.dev');
    expect(email?.body.html).toContain('<p>Hello <!-- -->Ann');
  });
});
