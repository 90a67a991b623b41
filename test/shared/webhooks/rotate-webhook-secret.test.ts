import { describe, expect, it } from 'vitest';
import { rotateWebhookSecret } from '#shared/webhooks/rotate-webhook-secret';
import { signingSecretsOf, type Webhook } from '#shared/webhooks/webhook';
import { endpoint } from '../../../functions/rotate-webhook-secret/rotate-webhook-secret.ts';
import { buildSecret, webhookNow } from '../../shared/webhooks/webhook-builder.ts';
import { openWebhookAccount } from '../../support/webhook-account.ts';

const hourMs = 3_600_000;

/** A webhook whose secret can be rotated many times, at moments that a test chooses. */
async function prepare(overrides: Partial<Webhook> = {}) {
  const { caller, table, webhook, storedWebhook } = await openWebhookAccount(overrides);
  const rotate = (body: unknown, now = webhookNow) =>
    rotateWebhookSecret(
      { caller, path: { id: webhook.id }, body: endpoint.body.parse(body) },
      { table, now: () => now },
    );
  return { rotate, original: webhook, storedWebhook };
}

describe('rotateWebhookSecret', () => {
  it('gives a new secret, and lets the previous one sign for a day', async () => {
    const { rotate, original, storedWebhook } = await prepare();

    const rotated = await rotate({});

    expect(await storedWebhook()).toEqual(rotated);
    expect(rotated.secret).not.toBe(original.secret);
    expect(rotated.previousSecrets).toEqual([
      { secret: original.secret, expiresAt: webhookNow + 24 * hourMs },
    ]);
  });

  it.each([0.5, 1, 168])('lets the previous secret sign for %d hours', async (overlapHours) => {
    const { rotate, original } = await prepare();

    const rotated = await rotate({ overlapHours });

    const end = webhookNow + overlapHours * hourMs;
    expect(signingSecretsOf(rotated, end - 1)).toEqual([rotated.secret, original.secret]);
    expect(signingSecretsOf(rotated, end)).toEqual([rotated.secret]);
  });

  it('still signs with the only secret that receivers know when an answer was lost', async () => {
    const { rotate, original } = await prepare();

    await rotate({});
    const repeated = await rotate({}, webhookNow + 1_000);

    const signing = signingSecretsOf(repeated, webhookNow + 2_000);
    expect(signing).toHaveLength(3);
    expect(signing).toContain(original.secret);
  });

  it('ends all previous secrets at once when the overlap is zero', async () => {
    const { rotate } = await prepare({
      previousSecrets: [{ secret: buildSecret('b'), expiresAt: webhookNow + hourMs }],
    });

    const rotated = await rotate({ overlapHours: 0 });

    expect(signingSecretsOf(rotated, webhookNow)).toEqual([rotated.secret]);
  });

  it('removes secrets that no longer sign, and the oldest of too many', async () => {
    const { rotate } = await prepare({
      previousSecrets: [{ secret: buildSecret('b'), expiresAt: webhookNow }],
    });

    const first = await rotate({});
    for (let times = 0; times < 9; times += 1) await rotate({});
    const last = await rotate({});

    expect(first.previousSecrets).toHaveLength(1);
    expect(last.previousSecrets).toHaveLength(5);
  });

  it('changes nothing else', async () => {
    const { rotate, original } = await prepare({
      eventTypes: ['email.sent'],
      health: { since: 1, exhausted: 1, delivered: 0 },
    });

    const { secret, previousSecrets, updatedAt, ...rest } = await rotate({});

    expect(original).toMatchObject(rest);
    expect(updatedAt).toBe(original.updatedAt + 1);
  });
});

describe('the request', () => {
  it.each([-1, 169, '24', null, Number.NaN, Number.POSITIVE_INFINITY])(
    'with an overlap of %j is refused',
    (overlapHours) => {
      expect(endpoint.body.safeParse({ overlapHours }).success).toBe(false);
    },
  );

  it('with a misspelt field, which would overlap for a day, is refused', () => {
    expect(endpoint.body.safeParse({ overlap: 0 }).success).toBe(false);
  });
});
