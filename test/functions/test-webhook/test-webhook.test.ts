import { describe, expect, it } from 'vitest';
import type { DayQuotaStore } from '#shared/access/day-quota-store';
import type { Organization } from '#shared/organizations/organization';
import { newWebhookId } from '#shared/tokens/resource-id';
import type { DeliveryReference } from '#shared/webhook-deliveries/delivery';
import { disabledReasons, type Webhook } from '#shared/webhooks/webhook';
import { testWebhook } from '../../../functions/test-webhook/test-webhook.ts';
import { buildWebhook, webhookNow } from '../../shared/webhooks/webhook-builder.ts';
import { fakeDayQuotas } from '../../support/day-quota-builder.ts';
import { asDescribed } from '../../support/described-message.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { fakeDeliveryStore, fakeWebhookStore } from '../../support/webhook-stores.ts';

/** Tests a webhook, and records the effects in order. */
function prepare(
  overrides: Partial<Webhook> = {},
  settings: Partial<Organization> = {},
  quotas: Partial<DayQuotaStore> = {},
) {
  const manager = buildManager();
  const webhook = buildWebhook({ id: newWebhookId(manager.organizationId), ...overrides });
  const effects: (readonly [string, readonly DeliveryReference[]])[] = [];
  const run = () =>
    testWebhook(
      { ...manager, path: { id: webhook.id } },
      {
        ...manager,
        ...fakeDayQuotas(quotas),
        sendRetentionDays: 90,
        organizations: { get: async (id) => buildOrganization({ id, ...settings }) },
        webhooks: fakeWebhookStore({ get: async () => webhook }),
        deliveries: fakeDeliveryStore({
          putNew: async (delivery) => {
            effects.push(['stored', [delivery]]);
          },
        }),
        wakeQueue: async (deliveries) => {
          effects.push(['woken', deliveries]);
        },
      },
    );
  return { run, webhook, effects };
}

describe('testWebhook', () => {
  it('stores a delivery, then wakes the queue', async () => {
    const { run, effects } = prepare();

    const delivery = await run();

    expect(effects).toEqual([
      ['stored', [delivery]],
      ['woken', [delivery]],
    ]);
  });

  it('sends a message without an event, whatever types the webhook is subscribed to', async () => {
    const { run, webhook } = prepare({ eventTypes: ['email.bounced'] });

    const delivery = await run();

    expect(delivery).toMatchObject({
      webhookId: webhook.id,
      type: 'webhook.test',
      status: 'pending',
      attempts: [],
      createdAt: webhookNow,
    });
    const message: unknown = JSON.parse(delivery.body);
    expect(asDescribed(message)).toEqual(message);
    expect(message).toEqual({
      type: 'webhook.test',
      timestamp: new Date(webhookNow).toISOString(),
      data: { webhookId: webhook.id },
    });
  });

  it.each([
    ['of the deployment', 90, {}],
    ['of the organization, where they are fewer', 30, { sendRetentionDays: 30 }],
    ['of the deployment, where they are fewer', 90, { sendRetentionDays: 365 }],
  ])('keeps the delivery for the days %s', async (_whose, days, settings) => {
    const { run } = prepare({}, settings);

    const { expiresAt } = await run();

    expect(expiresAt).toBe(webhookNow / 1000 + days * 86_400);
  });

  it('sends a new message each time', async () => {
    const { run } = prepare();

    const [one, other] = [await run(), await run()];

    expect(other.id).not.toBe(one.id);
    expect(other.messageId).not.toBe(one.messageId);
  });

  it.each(disabledReasons)('refuses a disabled webhook: %s', async (reason) => {
    const { run, effects } = prepare({ disabled: { reason, at: webhookNow } });

    expect((await serviceErrorOf(run)).code).toBe('webhook_disabled');
    expect(effects).toEqual([]);
  });

  it('sends nothing once the day’s requested deliveries are used up', async () => {
    const { run, effects } = prepare(
      {},
      {},
      { take: async (_id, quota) => quota !== 'DELIVERIES' },
    );

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('delivery_limit_reached');
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    expect(effects).toEqual([]);
  });
});
