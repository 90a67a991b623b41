import fc from 'fast-check';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newWebhookSecret, signMessage } from '#shared/webhooks/signature';
import { signingSecretsOf } from '#shared/webhooks/webhook';
import { buildSecret, buildWebhook } from './webhook-builder.ts';

const body = JSON.stringify({ type: 'email.sent', data: { subject: 'Zürich ✓ \u2028' } });

/** The public library reads the clock itself, so the message is signed now. */
const sign = (secrets: readonly string[], text = body) =>
  signMessage('msg_1', text, secrets, Date.now());

const verify = (secret: string, headers: Record<string, string>, text = body) =>
  new Webhook(secret).verify(text, headers);

describe('signMessage', () => {
  it('is verified by the public library', () => {
    const secret = newWebhookSecret();

    expect(verify(secret, { ...sign([secret]) })).toEqual(JSON.parse(body));
  });

  it('is verified whatever the body', () => {
    const secret = newWebhookSecret();

    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);

        expect(() => verify(secret, { ...sign([secret], text) }, text)).not.toThrow();
      }),
    );
  });

  it('is verified with either secret while a rotation lasts, and with the new one only after', () => {
    const [current, previous] = [newWebhookSecret(), newWebhookSecret()];
    const now = Date.now();
    const webhook = buildWebhook({
      secret: current,
      previousSecrets: [{ secret: previous, expiresAt: now + 60_000 }],
    });

    const during = { ...sign(signingSecretsOf(webhook, now)) };
    const after = { ...sign(signingSecretsOf(webhook, now + 60_000)) };

    expect(() => verify(current, during)).not.toThrow();
    expect(() => verify(previous, during)).not.toThrow();
    expect(() => verify(current, after)).not.toThrow();
    expect(() => verify(previous, after)).toThrow(WebhookVerificationError);
  });

  it('is not verified with another secret, for another body, or under another id', () => {
    const secret = newWebhookSecret();
    const headers = { ...sign([secret]) };

    expect(() => verify(newWebhookSecret(), headers)).toThrow(WebhookVerificationError);
    expect(() => verify(secret, headers, `${body} `)).toThrow(WebhookVerificationError);
    expect(() => verify(secret, { ...headers, 'webhook-id': 'msg_2' })).toThrow(
      WebhookVerificationError,
    );
  });

  it('is what the public library signs', () => {
    const secret = buildSecret('a');
    const at = new Date(1_750_000_000_999);

    const headers = signMessage('msg_1', body, [secret], at.getTime());

    expect(headers).toEqual({
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1750000000',
      'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
    });
  });
});

describe('newWebhookSecret', () => {
  it('has 24 random bytes, never the same', () => {
    const secrets = Array.from({ length: 50 }, newWebhookSecret);

    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  });
});
