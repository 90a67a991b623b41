import { describe, expect, it } from 'vitest';
import { auditedWebhook } from '#shared/webhooks/webhook-management';
import { buildSecret, buildWebhook, webhookNow } from './webhook-builder.ts';

const shownUrl = (url: string) => auditedWebhook(buildWebhook({ url })).url;

describe('what the audit tells of a webhook', () => {
  it('has neither the secret nor the earlier ones', () => {
    const secrets = [buildSecret('a'), buildSecret('b')] as const;
    const previousSecrets = [{ secret: secrets[1], expiresAt: webhookNow }];

    const told = auditedWebhook(buildWebhook({ secret: secrets[0], previousSecrets }));

    expect(told.previousSecretsExpireAt).toBe(webhookNow);
    for (const secret of secrets) expect(JSON.stringify(told)).not.toContain(secret);
  });

  it.each([
    'https://hooks.example.com/services/T0/B0/tOkEn',
    'https://hooks.example.com/?to=ann@example.com',
    'https://hooks.example.com:8443/tOkEn',
  ])('shows the origin of %s and nothing that may be a token or an address', (url) => {
    const shown = shownUrl(url);

    expect(shown.startsWith(new URL(url).origin)).toBe(true);
    expect(shown).not.toMatch(/tOkEn|ann|services/);
  });

  it('shows that a path has changed', () => {
    expect(shownUrl('https://hooks.example.com/a')).not.toBe(
      shownUrl('https://hooks.example.com/b'),
    );
    expect(shownUrl('https://hooks.example.com/')).toBe('https://hooks.example.com');
  });
});
