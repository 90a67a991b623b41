import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readInbox } from '../support/mailbox-inbox.ts';
import {
  givenOptions,
  headersOfExamples,
  otherOptions,
  unsentWords,
} from '../support/option-examples.ts';
import { buildSendBody } from '../support/send-body-builder.ts';
import { useTwin } from '../support/twin.ts';

const { baseUrl, apiKey, manageKey, inboxUrl } = await useTwin();

const answerSchema = z.record(z.string(), z.any());

async function ask(key: string, path: string, body?: object) {
  const response = await fetch(`${baseUrl}/api/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: answerSchema.parse(await response.json()) };
}
const send = (fields: object, key = apiKey) =>
  ask(key, '/emails/send', { ...buildSendBody(), ...fields });

const { body: settings } = await ask(manageKey, '/organization/identity');
const domain: string = settings['domain'];

describe('a send with every option', () => {
  const rich = {
    from: `Billing <billing@${domain}>`,
    to: ['ann@example.com', 'ben@example.org'],
    ...givenOptions,
    htmlContent: '<p><a href="https://example.com/">Shop</a></p>',
    idempotencyKey: 'rich-1',
  };

  it('is sent as one email that has them all', async () => {
    const { status, body } = await send(rich);
    const email = (await readInbox(inboxUrl)).find(
      ({ messageId }) => messageId === body['messageId'],
    );

    expect(status).toBe(200);
    expect(email).toMatchObject({
      from: `"Billing" <billing@${domain}>`,
      destination: { to: ['ann@example.com', 'ben@example.org'] },
      body: { html: rich.htmlContent },
    });
    expect(email?.headers).toEqual(expect.arrayContaining(headersOfExamples));
    expect(email?.headers.some(({ name }) => name === 'List-Unsubscribe')).toBe(false);
    const all = JSON.stringify(email);
    expect(unsentWords.filter((words) => all.includes(words))).toEqual([]);
  });

  it('shows it in its timeline and list, and is found by its tag', async () => {
    const { body: first } = await send(rich);
    const { body: timeline } = await ask(manageKey, `/sends/${first['sendId']}`);
    const { body: found } = await ask(manageKey, '/sends?tag=kind:parcel');
    const { body: others } = await ask(manageKey, '/sends?tag=kind:reset');

    const shown = {
      fromEmail: `billing@${domain}`,
      fromName: 'Billing',
      toEmail: 'ann@example.com',
      to: rich.to,
      ...givenOptions,
    };
    expect(first['reused']).toBe(true);
    expect(timeline['send']).toMatchObject(shown);
    expect(found['data']).toEqual([expect.objectContaining(shown)]);
    expect(others['data']).toEqual([]);
  });

  it.each([
    ['from', `Billing <other@${domain}>`],
    ['to', ['ann@example.com']],
    ...otherOptions,
  ] as const)('is a different request with another %s', async (field, value) => {
    const { status, body } = await send({ ...rich, [field]: value });

    expect(status).toBe(422);
    expect(body['code']).toBe('idempotency_key_reused');
  });

  it('keeps metadata at the limits of what DynamoDB stores', async () => {
    const metadata = {
      deep: JSON.parse(`${'['.repeat(30)}${']'.repeat(30)}`),
      numbers: [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 1e-130, -1e-130, 0, 0.1],
      toString: 'a',
      empty: '',
    };

    const { status, body } = await send({ metadata, idempotencyKey: 'limits' });
    const { body: timeline } = await ask(manageKey, `/sends/${body['sendId']}`);

    expect(status).toBe(200);
    expect(timeline['send'].metadata).toEqual(metadata);
  });

  it('drops suppressed recipients, and is suppressed only when no `to` is left', async () => {
    await ask(manageKey, '/suppressions', { email: 'gone@example.com' });

    const { body: some } = await send({ to: ['gone@example.com', 'ann@example.com'] });
    const { body: none } = await send({ to: ['gone@example.com'], cc: 'ann@example.com' });
    const email = (await readInbox(inboxUrl)).find(
      ({ messageId }) => messageId === some['messageId'],
    );

    expect(some).toMatchObject({
      status: 'sent',
      suppressedRecipients: [{ email: 'gone@example.com' }],
    });
    expect(email?.destination.to).toEqual(['ann@example.com']);
    expect(none).toMatchObject({ status: 'suppressed' });
  });

  it('is refused from a foreign domain, and to a key that may not use the address', async () => {
    const foreign = await send({ from: 'ceo@example.com' });
    const { body: created } = await ask(manageKey, '/api-keys', {
      name: 'billing',
      scopes: ['send_email'],
      allowedFrom: [`Billing@${domain}`],
    });
    const allowed = await send({ from: `billing@${domain}` }, created['key']);
    const identity = await send({}, created['key']);

    expect(created['allowedFrom']).toEqual([`billing@${domain}`]);
    expect(foreign).toMatchObject({ status: 403, body: { code: 'no_active_identity' } });
    expect(allowed.status).toBe(200);
    expect(identity).toMatchObject({ status: 403, body: { code: 'from_not_allowed' } });
  });
});
