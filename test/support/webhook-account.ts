import type { Organization } from '#shared/organizations/organization';
import { newWebhookId } from '#shared/tokens/resource-id';
import type { DeliveryReference } from '#shared/webhook-deliveries/delivery';
import type { Webhook } from '#shared/webhooks/webhook';
import { createWebhook, getWebhook } from '#shared/webhooks/webhook-store';
import { buildWebhook } from '../shared/webhooks/webhook-builder.ts';
import { openAccount } from './account.ts';
import { anyEntry } from './audit-entry-builder.ts';
import { storedAmong } from './stored-delivery.ts';

/** An account with a webhook, and the queue of first attempts. */
export async function openWebhookAccount(
  overrides: Partial<Webhook> = {},
  given: Partial<Organization> = {},
) {
  const account = await openAccount(given);
  const { table, organizationId } = account;
  const webhook = buildWebhook({ id: newWebhookId(organizationId), ...overrides });
  await createWebhook(table, webhook, anyEntry());
  const woken: DeliveryReference[] = [];
  return {
    ...account,
    webhook,
    storedWebhook: () => getWebhook(table, webhook.id),
    /** The deliveries that were stored when the queue was woken for them. */
    woken,
    wakeQueue: async (deliveries: readonly DeliveryReference[]) => {
      woken.push(...(await storedAmong(table, deliveries)));
    },
  };
}

export type WebhookAccount = Awaited<ReturnType<typeof openWebhookAccount>>;
