import { describe, expect, it } from 'vitest';
import type { Organization } from '#shared/organizations/organization';
import { getDelivery } from '#shared/webhook-deliveries/delivery-store';
import { disabledReasons, type Webhook } from '#shared/webhooks/webhook';
import { endpoint as testWebhook } from '../../../functions/test-webhook/test-webhook.ts';
import { webhookNow } from '../../shared/webhooks/webhook-builder.ts';
import { asDescribed } from '../../support/described-message.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';
import { openWebhookAccount } from '../../support/webhook-account.ts';

async function prepare(
  overrides: Partial<Webhook> = {},
  settings: Partial<Organization> = {},
  limitsOfDeployment = {},
) {
  const account = await openWebhookAccount(overrides, settings);
  const { caller, webhook, table, woken } = account;
  const service = { ...account, limitsOfDeployment, sendRetentionDays: 90 };
  const run = async () => {
    const { id } = await testWebhook.run(
      { ...surroundings, caller, path: { id: webhook.id } },
      service,
    );
    const stored = await getDelivery(table, id, webhookNow);
    if (stored === undefined) throw new Error('Nothing is stored');
    return stored;
  };
  return { run, webhook, woken };
}

describe('testWebhook', () => {
  it('stores a delivery, then wakes the queue', async () => {
    const { run, woken } = await prepare();

    const delivery = await run();

    expect(woken).toEqual([delivery]);
  });

  it('sends a message without an event, whatever types the webhook is subscribed to', async () => {
    const { run, webhook } = await prepare({ eventTypes: ['email.bounced'] });

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
    const { run } = await prepare({}, settings);

    const { expiresAt } = await run();

    expect(expiresAt).toBe(webhookNow / 1000 + days * 86_400);
  });

  it('sends a new message each time', async () => {
    const { run } = await prepare();

    const [one, other] = [await run(), await run()];

    expect(other.id).not.toBe(one.id);
    expect(other.messageId).not.toBe(one.messageId);
  });

  it.each(disabledReasons)('refuses a disabled webhook: %s', async (reason) => {
    const { run, woken } = await prepare({ disabled: { reason, at: webhookNow } });

    expect((await serviceErrorOf(run)).code).toBe('webhook_disabled');
    expect(woken).toEqual([]);
  });

  it('refuses a paused webhook', async () => {
    const { run, woken } = await prepare({ pausedAt: webhookNow });

    expect((await serviceErrorOf(run)).code).toBe('webhook_paused');
    expect(woken).toEqual([]);
  });

  it('sends nothing once the day’s requested deliveries are used up', async () => {
    const { run, woken } = await prepare({}, {}, { requestedDeliveriesPerDay: 1 });
    await run();

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('delivery_limit_reached');
    expect(error.retryAfterSeconds).toBeGreaterThan(0);
    expect(woken).toHaveLength(1);
  });
});
