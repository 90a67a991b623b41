import { describe, expect, it } from 'vitest';
import { changeTimeOf, signingSecretsOf } from '#shared/webhooks/webhook';
import { buildSecret, buildWebhook, webhookNow as now } from './webhook-builder.ts';

const previous = (letter: string, expiresAt: number) => ({
  secret: buildSecret(letter),
  expiresAt,
});

describe('signingSecretsOf', () => {
  it('is the only secret when there was no rotation', () => {
    expect(signingSecretsOf(buildWebhook(), now)).toEqual([buildSecret('a')]);
  });

  it.each([
    { expiresAt: now + 1, secrets: ['a', 'b'] },
    { expiresAt: now, secrets: ['a'] },
    { expiresAt: now - 1, secrets: ['a'] },
  ])('is $secrets when the previous one expires at $expiresAt', ({ expiresAt, secrets }) => {
    const webhook = buildWebhook({ previousSecrets: [previous('b', expiresAt)] });

    expect(signingSecretsOf(webhook, now)).toEqual(secrets.map(buildSecret));
  });

  it('includes the secrets of all rotations that last', () => {
    const webhook = buildWebhook({
      previousSecrets: [previous('b', now + 2), previous('c', now), previous('d', now + 1)],
    });

    expect(signingSecretsOf(webhook, now)).toEqual(['a', 'b', 'd'].map(buildSecret));
  });
});

describe('changeTimeOf', () => {
  it('is now, or just after the last change when that came from a clock ahead', () => {
    expect(changeTimeOf(buildWebhook({ updatedAt: now - 1 }), now)).toBe(now);
    expect(changeTimeOf(buildWebhook({ updatedAt: now }), now)).toBe(now + 1);
    expect(changeTimeOf(buildWebhook({ updatedAt: now + 500 }), now)).toBe(now + 501);
  });
});
