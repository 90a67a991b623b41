import { Resend } from 'resend';
import { afterAll, describe, expect, it } from 'vitest';
import { startLocalStack } from '../../infra/local/stack.ts';
import { readInbox } from '../support/mailbox-inbox.ts';
import { ownDatabase } from '../support/own-database.ts';

/** Resend's own client, as released, with nothing changed but its address and key. */
const twin = await startLocalStack({ quiet: true, env: ownDatabase().environment });
afterAll(twin.stop);
const { baseUrl, apiKey, inboxUrl } = twin.description;
const clientWith = (key: string) => new Resend(key, { baseUrl: `${baseUrl}/resend` });
const resend = clientWith(`re_${apiKey}`);
const from = 'Northwind <hello@mail.example.com>';

const inboxOf = async (address: string) =>
  (await readInbox(inboxUrl)).filter(({ destination }) => destination?.to.includes(address));

describe('Resend’s client for Node.js', () => {
  it('sends an email with all that it can say', async () => {
    const { data, error } = await resend.emails.send({
      from,
      to: ['ann@example.com'],
      cc: 'carl@example.com',
      replyTo: 'help@example.com',
      subject: 'Your receipt',
      html: '<p>Thank you <img src="cid:logo"></p>',
      text: 'Thank you',
      headers: { 'X-Order': '7' },
      tags: [{ name: 'kind', value: 'receipt' }],
      attachments: [
        { filename: 'receipt.txt', content: Buffer.from('paid') },
        { filename: 'logo.png', content: 'iVBORw0KGgo=', contentId: 'logo' },
      ],
    });

    expect(error).toBeNull();
    expect(data).toEqual({ id: expect.stringMatching(/^snd_/) });
    expect(await inboxOf('ann@example.com')).toHaveLength(1);
  });

  it('sends one email for thirty requests with one key at once', async () => {
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

  it('repeats a relative moment under the same key', async () => {
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
  ])('is told of %s as Resend does', async (_, client, fields, name, statusCode) => {
    const { data, error } = await client.emails.send({
      ...{ from, to: 'ann@example.com', subject: 'Hello', text: 'Hello' },
      ...fields,
    });

    expect(data).toBeNull();
    expect(error).toMatchObject({ name, statusCode, message: expect.stringMatching(/\w/) });
  });

  it('is told of another email under a used key', async () => {
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
