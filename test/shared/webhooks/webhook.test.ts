import { describe, expect, it } from 'vitest';
import { changeTimeOf, isDead, signingSecretsOf } from '#shared/webhooks/webhook';
import { buildSecret, buildWebhook, webhookNow as now } from './webhook-builder.ts';

const previous = (letter: string, expiresAt: number) => ({
  secret: buildSecret(letter),
  expiresAt,
});
const dayMs = 86_400_000;

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

describe('isDead', () => {
  it.each([
    { failingSince: undefined, dead: false },
    { failingSince: now, dead: false },
    { failingSince: now - 5 * dayMs + 1, dead: false },
    { failingSince: now - 5 * dayMs, dead: true },
  ])('is $dead for an endpoint that fails since $failingSince', ({ failingSince, dead }) => {
    const webhook = buildWebhook(failingSince === undefined ? {} : { failingSince });

    expect(isDead(webhook, now)).toBe(dead);
  });
});

describe('changeTimeOf', () => {
  it('is now, or just after the last change when that came from a clock ahead', () => {
    expect(changeTimeOf(buildWebhook({ updatedAt: now - 1 }), now)).toBe(now);
    expect(changeTimeOf(buildWebhook({ updatedAt: now }), now)).toBe(now + 1);
    expect(changeTimeOf(buildWebhook({ updatedAt: now + 500 }), now)).toBe(now + 501);
  });
});
