import { describe, expect, it } from 'vitest';
import { webhookBody } from '#shared/webhook-deliveries/outbox';
import { resendTestMessage } from '#shared/webhook-deliveries/resend-message';
import { signMessage } from '#shared/webhooks/signature';
import {
  answerText,
  headersOf,
  indented,
  stateOf,
  subjectOf,
} from '../../../../../functions/show-console/app/webhooks/deliveries.ts';

const at = 1_795_338_000_999;
const about = (data: unknown) => subjectOf({ payload: JSON.stringify({ type: 'x', data }) });

describe('subjectOf', () => {
  it.each([
    [{ sendId: 'snd_1', to: 'ann@example.com' }, 'ann@example.com', '/console/emails/snd_1'],
    [
      { contactId: 'con_1', email: 'a/b@example.com' },
      'a/b@example.com',
      '/console/addresses/a%2Fb%40example.com',
    ],
    [
      { email_id: 'snd_2', to: ['bob@example.com', 'cc@example.com'] },
      'bob@example.com',
      '/console/emails/snd_2',
    ],
    [
      { id: 'bounce-con_1', email: 'ann@example.com' },
      'ann@example.com',
      '/console/addresses/ann%40example.com',
    ],
    [{ domain: 'news.example.com' }, 'news.example.com', '/console/domains'],
    [{ sendId: '../../keys', to: '' }, '', '/console/emails/..%2F..%2Fkeys'],
  ])('of %o is %s, at %s', (data, name, href) => {
    expect(about(data)).toMatchObject({ name, href });
  });

  it.each([{ webhookId: 'whk_1' }, { sendId: 7 }, {}, null, 'text', [1]])(
    'of %o is nothing',
    (data) => {
      expect(about(data)).toBeUndefined();
    },
  );

  it('of a payload that is no JSON is nothing, and it is shown as it is', () => {
    expect(subjectOf({ payload: '{' })).toBeUndefined();
    expect(indented('{')).toBe('{');
  });
});

describe('the headers of an attempt', () => {
  const payload = webhookBody('email.sent', at, {});
  const message = { messageId: 'msg_1', payload };

  it('are those that were sent, but for the signature, which isn’t kept', () => {
    const { 'webhook-signature': _signature, ...sent } = signMessage('msg_1', payload, [], at);
    const shown = Object.fromEntries(headersOf({ at, durationMs: 1, statusCode: 200 }, message));

    expect(shown).toMatchObject(sent);
    expect(shown['webhook-signature']).toContain('not kept');
  });

  it('of a message in Resend’s form have Resend’s names', () => {
    const resends = { messageId: 'msg_1', payload: resendTestMessage('whk_1', at) };
    const shown = Object.fromEntries(headersOf({ at, durationMs: 1, statusCode: 200 }, resends));

    expect(shown).toMatchObject({ 'svix-id': 'msg_1', 'svix-timestamp': '1795338000' });
    expect(shown).not.toHaveProperty('webhook-id');
  });

  it.each(['interrupted', 'blocked_address'])('are unknown where it was %s', (error) => {
    expect(headersOf({ at, durationMs: 1, error }, message)).toEqual([]);
  });
});

it.each([
  [{ statusCode: 503 }, '503'],
  [{ error: 'timeout' }, 'Timed out'],
  [{ error: 'some_new_fault' }, 'Some new fault'],
  [{}, 'No answer'],
])('the answer of %o is %s', (attempt, text) => {
  expect(answerText({ at, durationMs: 1, ...attempt })).toBe(text);
});

it('a delivery that waits after a failed attempt is being retried', () => {
  expect(stateOf('pending', 0)).toEqual(['Pending', 'info']);
  expect(stateOf('pending', 1)).toEqual(['Waiting', 'warn']);
  expect(stateOf('failed', 1)).toEqual(['Failed', 'bad']);
});
