import { describe, expect, it } from 'vitest';
import {
  requireFormatFits,
  toWebhookView,
  webhookFields,
  webhookViewSchema,
  webhookWithSecretSchema,
} from '#shared/webhooks/webhook-fields';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildSecret, buildWebhook, webhookNow } from './webhook-builder.ts';

const previous = (letter: string, expiresAt: number) => ({
  secret: buildSecret(letter),
  expiresAt,
});

describe('a webhook as its owner sees it', () => {
  it('shows no secret, neither the current one nor the previous ones', () => {
    const webhook = buildWebhook({ previousSecrets: [previous('b', webhookNow)] });

    const text = JSON.stringify(webhookViewSchema.parse(toWebhookView(webhook, 5, webhookNow)));

    expect(text).not.toContain('whsec_');
    expect(text).not.toContain(buildSecret('b').slice('whsec_'.length));
  });

  it('shows the current secret, and no other, in the answers that include it', () => {
    const webhook = buildWebhook({ previousSecrets: [previous('b', webhookNow)] });

    const view = webhookWithSecretSchema.parse(toWebhookView(webhook, 5, webhookNow));

    expect(view.secret).toBe(buildSecret('a'));
    expect(JSON.stringify(view)).not.toContain(buildSecret('b'));
  });

  it('shows until when previous secrets sign', () => {
    const previousSecrets = [previous('b', webhookNow + 10), previous('c', webhookNow + 90)];

    expect(toWebhookView(buildWebhook({ previousSecrets }), 5, webhookNow)).toMatchObject({
      previousSecretsExpireAt: webhookNow + 90,
    });
    expect(toWebhookView(buildWebhook(), 5, webhookNow)).not.toHaveProperty(
      'previousSecretsExpireAt',
    );
  });

  it('is enabled, or disabled for a reason', () => {
    const disabled = { reason: 'gone', at: webhookNow } as const;

    expect(toWebhookView(buildWebhook(), 5, webhookNow)).toMatchObject({ enabled: true });
    expect(toWebhookView(buildWebhook({ disabled }), 5, webhookNow)).toMatchObject({
      enabled: false,
      disabled,
    });
  });
});

describe('the fields of a webhook', () => {
  it.each([
    ['a space inside', 'https://example.com/a b'],
    ['a space around', ' https://example.com'],
    ['a line break, which a URL parser would drop', 'https://exam\nple.com'],
    ['a NUL', 'https://example.com/\0'],
    ['nothing', ''],
    ['more than 2,048 characters', `https://example.com/${'a'.repeat(2_048)}`],
  ])('refuse a URL with %s', (_what, url) => {
    expect(webhookFields.url.safeParse(url).success).toBe(false);
  });

  it('keep each type once', () => {
    expect(webhookFields.eventTypes.parse(['email.sent', 'email.bounced', 'email.sent'])).toEqual([
      'email.sent',
      'email.bounced',
    ]);
  });

  it.each(['webhook.test', 'email.*', 'sent', ''])('do not know the type %j', (type) => {
    expect(webhookFields.eventTypes.safeParse([type]).success).toBe(false);
  });
});

it.each([
  [0, ['identity.active', 'email.sent']],
  [1, ['email.sent', 'identity.active']],
])(
  'Resend’s form is refused for an event without a name of Resend’s, at place %i',
  async (place, eventTypes) => {
    const { errors } = await serviceErrorOf(() =>
      requireFormatFits({ format: 'resend', eventTypes }),
    );

    expect(errors?.map(({ path }) => path)).toEqual([`eventTypes.${place}`]);
  },
);
