import { describe, expect, it } from 'vitest';
import { organizationIdOf } from '#shared/tokens/resource-id';
import { disabledNotice, failingNotice } from '#shared/webhooks/webhook-notices';
import { buildWebhook, webhookNow as now } from './webhook-builder.ts';

const webhook = buildWebhook({ url: 'https://receiver.example.com/hooks?token=secret' });
const health = { since: now - 86_400_000, exhausted: 11, delivered: 1 };

describe('the notices about an endpoint', () => {
  it.each([
    ['failing', failingNotice(webhook, health, now), 'webhook_failing'],
    ['disabled', disabledNotice(webhook, 'failing', health, now), 'webhook_disabled'],
  ])('that is %s name it and its figures, and not the whole of its URL', (_is, notice, cause) => {
    expect(notice).toMatchObject({
      organizationId: organizationIdOf(webhook.id),
      cause,
      about: webhook.id,
      subject: expect.stringContaining('receiver.example.com'),
      text: expect.stringContaining('11 of 12 deliveries'),
    });
    expect(JSON.stringify(notice)).not.toContain('secret');
  });

  it('say that it answered 410', () => {
    expect(disabledNotice(webhook, 'gone', undefined, now).text).toContain('410');
  });
});
