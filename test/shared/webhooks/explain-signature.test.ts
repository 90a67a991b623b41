import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  explainSignature,
  guessBodies,
  type ReceivedMessage,
} from '#shared/webhooks/explain-signature';
import { signMessage } from '#shared/webhooks/signature';
import { buildSecret, webhookNow as now } from './webhook-builder.ts';

const secret = buildSecret('a');
const webhook = { secret, previousSecrets: [] };
const seconds = Math.floor(now / 1_000);
const body = JSON.stringify({
  type: 'email.delivered',
  timestamp: '2025-06-15T15:06:40.000Z',
  data: { to: 'ann@example.com', subject: 'Grüße, Łukasz 👋', sendId: 'snd_1', policyKey: 'bulk' },
});
const keyOf = (of: string) => Buffer.from(of.slice('whsec_'.length), 'base64');

/** What a service that follows the specification sends, and a receiver takes. */
function receive(overrides: Partial<ReceivedMessage> = {}, at = now): ReceivedMessage {
  const headers = signMessage('msg_1', body, [secret], at);
  return {
    payload: body,
    webhookId: headers['webhook-id'],
    timestamp: headers['webhook-timestamp'],
    signature: headers['webhook-signature'],
    ...overrides,
  };
}

/** A signature that a receiver computes in its own way. */
const computed = (key: Buffer | string, text: string) =>
  `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
const rightText = `msg_1.${seconds}.${body}`;

const explain = (message: ReceivedMessage, sent?: string, of: typeof webhook = webhook) =>
  explainSignature(message, of, sent, now);

const sortedBody = JSON.stringify({
  data: { policyKey: 'bulk', sendId: 'snd_1', subject: 'Grüße, Łukasz 👋', to: 'ann@example.com' },
  timestamp: '2025-06-15T15:06:40.000Z',
  type: 'email.delivered',
});
const escaped =
  '{"type": "email.delivered", "timestamp": "2025-06-15T15:06:40.000Z", "data": {"to": "ann@example.com", "subject": "Gr\\u00fc\\u00dfe, \\u0141ukasz \\ud83d\\udc4b", "sendId": "snd_1", "policyKey": "bulk"}}';

describe('a signature that fits', () => {
  it('has no fault', () => {
    expect(explain(receive())).toEqual({ fits: true, faults: [] });
  });

  it('may be one of several in the header, and of a secret whose rotation lasts', () => {
    const previousSecrets = [{ secret: buildSecret('b'), expiresAt: now + 1 }];
    const headers = signMessage('msg_1', body, [buildSecret('c'), buildSecret('b')], now);
    const message = receive({ signature: headers['webhook-signature'] });

    expect(explainSignature(message, { secret, previousSecrets }, undefined, now)).toEqual({
      fits: true,
      faults: [],
    });
  });

  it.each([
    [300, []],
    [301, ['old_timestamp']],
    [-300, []],
    [-301, ['future_timestamp']],
  ])('and is %d s old has the faults %j', (age, faults) => {
    expect(explain(receive({}, now - age * 1_000))).toEqual({ fits: true, faults });
  });
});

describe('a signature that does not fit', () => {
  it.each([
    ['indented', JSON.stringify(JSON.parse(body), null, 2)],
    ['printed by Python', escaped],
    ['ended otherwise and indented', `${JSON.stringify(JSON.parse(body), null, 4)}\r\n`],
  ])('is of a body that was parsed and printed again: %s', (_how, payload) => {
    const expected = { fits: false, faults: ['body_reprinted'] };

    expect(explain(receive({ payload }))).toEqual(expected);
    const signature = computed(keyOf(secret), `msg_1.${seconds}.${payload.trimEnd()}`);
    expect(explain(receive({ signature }))).toEqual(expected);
  });

  it('is of a body with a list that Python printed again', () => {
    const payload = '{"to":["ann@example.com","bob@example.com"]}';
    const printed = '{"to": ["ann@example.com", "bob@example.com"]}';
    const signature = computed(keyOf(secret), `msg_1.${seconds}.${printed}`);

    expect(explain(receive({ payload, signature })).faults).toEqual(['body_reprinted']);
  });

  it('is of a body whose keys have another order, which the body that was sent shows', () => {
    expect(explain(receive({ payload: sortedBody }), body)).toEqual({
      fits: false,
      faults: ['body_reprinted'],
    });
    const signature = computed(keyOf(secret), `msg_1.${seconds}.${sortedBody}`);
    expect(explain(receive({ signature })).faults).toEqual(['body_reprinted']);
  });

  it('is of another body than the one that was sent', () => {
    const payload = body.replace('ann@', 'bob@');

    expect(explain(receive({ payload }), body)).toEqual({ fits: false, faults: ['body_changed'] });
    const signature = 'v1,AAAA';
    expect(explain(receive({ payload, signature }), body).faults).toEqual(['body_changed']);
  });

  it.each(['\n', '\r\n'])('is of a body that ends in %j', (end) => {
    const added = receive({ payload: body + end });
    const cut = receive({ signature: computed(keyOf(secret), rightText + end) });

    expect(explain(added)).toEqual({ fits: false, faults: ['trailing_newline'] });
    expect(explain(cut)).toEqual({ fits: false, faults: ['trailing_newline'] });
  });

  it.each([
    ['the text after whsec_', secret.slice('whsec_'.length), 'secret_not_decoded'],
    ['the whole text', secret, 'secret_with_prefix'],
    ['the whole text, decoded', Buffer.from(secret, 'base64'), 'secret_with_prefix'],
  ])('is of a wrong form of the secret: %s', (_form, key, fault) => {
    const signature = computed(key, rightText);

    expect(explain(receive({ signature }))).toEqual({ fits: false, faults: [fault] });
  });

  it('is of the secret of before a rotation that is over', () => {
    const previousSecrets = [{ secret: buildSecret('b'), expiresAt: now }];
    const message = receive({ signature: computed(keyOf(buildSecret('b')), rightText) });

    expect(explainSignature(message, { secret, previousSecrets }, undefined, now)).toEqual({
      fits: false,
      faults: ['old_secret'],
    });
  });

  it.each([body, `${seconds}.${body}`, `msg_1.${body}`, `msg_1${seconds}${body}`])(
    'is of another text than id, timestamp and body: %s',
    (text) => {
      const signature = computed(keyOf(secret), text);

      expect(explain(receive({ signature }))).toEqual({ fits: false, faults: ['signed_text'] });
    },
  );

  it.each([`${now}`, new Date(now).toISOString()])(
    'goes with a timestamp of another form: %s',
    (timestamp) => {
      expect(explain(receive({ timestamp }))).toEqual({ fits: false, faults: ['timestamp_form'] });
    },
  );

  it.each([
    ['without v1,', (mac: Buffer) => mac.toString('base64')],
    ['in hexadecimal', (mac: Buffer) => mac.toString('hex')],
    ['in hexadecimal, after an equals sign', (mac: Buffer) => `v1=${mac.toString('hex')}`],
    ['in base64 for URLs', (mac: Buffer) => `v1,${mac.toString('base64url')}`],
  ])('is written in another way: %s', (_how, write) => {
    const mac = createHmac('sha256', keyOf(secret)).update(rightText).digest();

    expect(explain(receive({ signature: write(mac) }))).toEqual({
      fits: false,
      faults: ['signature_form'],
    });
  });

  it('names the id of the endpoint instead of that of the message', () => {
    const webhookId = 'whk_1';

    expect(explain(receive({ webhookId }))).toEqual({ fits: false, faults: ['wrong_id'] });
  });

  it('is explained by no usual mistake', () => {
    const signature = computed(keyOf(buildSecret('z')), rightText);

    expect(explain(receive({ signature }), body)).toEqual({ fits: false, faults: ['unknown'] });
    expect(explain(receive({ signature: ' ' }))).toEqual({ fits: false, faults: ['unknown'] });
  });

  it('is explained by several mistakes together', () => {
    const text = `msg_1.${seconds}.${JSON.stringify(JSON.parse(body), null, 2)}`;
    const mac = createHmac('sha256', secret).update(text).digest('hex');

    expect(explain(receive({ signature: mac }))).toEqual({
      fits: false,
      faults: ['secret_with_prefix', 'body_reprinted', 'signature_form'],
    });
  });
});

describe('a signature of a deeply nested body', () => {
  const nested = (depth: number, elements: number) =>
    `${'['.repeat(depth)}${'1,'.repeat(elements)}1${']'.repeat(depth)}`;

  it.each([
    [10, 9_900],
    [30, 40_000],
    [300, 2_000],
    [2_900, 2_000],
    [50_000, 0],
  ])('is not explained, and little is guessed, with %d levels and %d elements', (...shape) => {
    const payload = nested(...shape);
    const verdict = explain(receive({ payload, signature: 'v1,AAAA' }));
    const guessed = guessBodies(payload, undefined).reduce(
      (sum, guess) => sum + guess.body.length,
      0,
    );

    expect(verdict).toEqual({ fits: false, faults: ['unknown'] });
    expect(guessed).toBeLessThan(1_000_000);
  });

  it('is of another body than the one that was sent', () => {
    const payload = nested(50_000, 0);

    expect(explain(receive({ payload }), body).faults).toEqual(['body_changed']);
  });

  it('is explained when it was printed again and is as deep as metadata may be', () => {
    const metadata: unknown = JSON.parse(`${'{"a":'.repeat(31)}1${'}'.repeat(31)}`);
    const deep = JSON.stringify({ type: 'email.sent', data: { metadata } });
    const signature = computed(
      keyOf(secret),
      `msg_1.${seconds}.${JSON.stringify(JSON.parse(deep), null, 4)}`,
    );

    expect(explain(receive({ payload: deep, signature })).faults).toEqual(['body_reprinted']);
  });
});

describe('any signature', () => {
  it('of the secret over the message as it is fits, and no other does', () => {
    const anyText = fc.string({ maxLength: 60 });
    fc.assert(
      fc.property(anyText, anyText, fc.boolean(), (payload, other, isRight) => {
        fc.pre(payload !== other);
        const signed = signMessage('msg_1', isRight ? payload : other, [secret], now);
        const message = receive({ payload, signature: signed['webhook-signature'] });

        expect(explain(message).fits).toBe(isRight);
      }),
    );
  });
});
