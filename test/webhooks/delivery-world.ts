import { putOrganization } from '#shared/organizations/organization-store';
import { type DueReader, findDue, findDueOwners } from '#shared/table/due-index';
import type { Table } from '#shared/table/table-client';
import {
  feedbackIdOf,
  newOrganizationId,
  newWebhookId,
  type OrganizationId,
  organizationIdOf,
  type WebhookId,
} from '#shared/tokens/resource-id';
import {
  attemptDelivery,
  type Delivering,
  postsWebhooks,
} from '#shared/webhook-deliveries/attempt-delivery';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { type DueEntry, dueDeliveryList } from '#shared/webhook-deliveries/delivery-store';
import { deliveriesOf } from '#shared/webhook-deliveries/outbox';
import { runDueDeliveries } from '#shared/webhook-deliveries/run-due-deliveries';
import { newWebhookSecret } from '#shared/webhooks/signature';
import type { Webhook } from '#shared/webhooks/webhook';
import { createSharedReads, createWebhook } from '#shared/webhooks/webhook-store';
import { buildWebhook } from '../shared/webhooks/webhook-builder.ts';
import { anyEntry } from '../support/audit-entry-builder.ts';
import { buildEmailEvent, farExpiry } from '../support/delivery-builder.ts';
import { buildOrganization } from '../support/organization-builder.ts';
import { newSendId } from '../support/send-builder.ts';
import { beforeEndpointsOf, storeDeliveries } from '../support/stored-delivery.ts';

/** An organization with webhooks in the real table, and the deliverer with a clock that tests move. */
export async function createDeliveryWorld(table: Table, timeoutMs = 15_000) {
  const organization = buildOrganization({ id: newOrganizationId(), webhooks: {} });
  await putOrganization(table, organization);
  let clock = Date.now();
  const openedAt = performance.now();
  const posting = postsWebhooks.open({
    WEBHOOK_MAX_ATTEMPTS: 5,
    WEBHOOKS_PER_SECOND_AND_HOST: 10_000,
    WEBHOOK_TIMEOUT_MS: timeoutMs,
    WEBHOOK_ALLOW_LOOPBACK_HTTP: true,
  });
  const delivering: Delivering = {
    ...{ table, now: () => clock, posting },
    reads: createSharedReads(table, 0, () => clock),
  };

  return {
    organizationId: organization.id,
    delivering,
    now: () => clock,
    advance: (milliseconds: number) => {
      clock += milliseconds;
    },
    addEndpoint: (url: string, secret = newWebhookSecret()) =>
      addEndpoint(table, organization.id, url, secret, clock),
    /** `expiresAt` in epoch seconds. */
    deliverEvents: (count: number, endpoints: readonly Webhook[], expiresAt = farExpiry) =>
      storeEvents(table, organization.id, count, endpoints, clock, expiresAt),
    /** A scheduled run over the due deliveries of this organization only, because the table is shared. */
    run: (overrides: Partial<Delivering['posting']> = {}) =>
      runDueDeliveries(Number.POSITIVE_INFINITY, {
        // The run judges endpoints by how long they take.
        now: () => clock + performance.now() - openedAt,
        due: dueOf(table, organization.id),
        shares: new Map(),
        attempt: (delivery) =>
          attemptDelivery(delivery, 'due', {
            ...delivering,
            posting: { ...posting, ...overrides },
          }),
        reportFailure: () => {},
      }),
  };
}

/** The due deliveries of one organization only. */
function dueOf(table: Table, organizationId: OrganizationId): DueReader<WebhookId, DueEntry> {
  const isOwn = (webhookId: WebhookId) => organizationIdOf(webhookId) === organizationId;
  return {
    shards: dueDeliveryList.shards,
    find: (...page) => findDue(table, dueDeliveryList, ...page),
    findOwners: async (shard, now, after = beforeEndpointsOf(organizationId)) => {
      const { firstPages, next } = await findDueOwners(table, dueDeliveryList, shard, now, after);
      return {
        firstPages: firstPages.filter(({ owner }) => isOwn(owner)),
        next: next !== undefined && isOwn(next) ? next : undefined,
      };
    },
  };
}

async function addEndpoint(
  table: Table,
  organizationId: OrganizationId,
  url: string,
  secret: string,
  now: number,
): Promise<Webhook> {
  const times = { createdAt: now, updatedAt: now };
  const webhook = buildWebhook({ id: newWebhookId(organizationId), url, secret, ...times });
  await createWebhook(table, webhook, anyEntry());
  return webhook;
}

/** Stores the deliveries of events as they are when their event is stored. */
async function storeEvents(
  table: Table,
  organizationId: OrganizationId,
  count: number,
  endpoints: readonly Webhook[],
  now: number,
  expiresAt: number,
): Promise<Delivery[]> {
  const subscriptions = Object.fromEntries(endpoints.map(({ id }) => [id, { eventTypes: [] }]));
  const deliveries = Array.from({ length: count }, () => {
    const event = buildEmailEvent({ key: 'delivered', at: now });
    const owner = { parent: feedbackIdOf(newSendId(organizationId)), expiresAt };
    return deliveriesOf(event, owner, subscriptions, now);
  }).flat();
  await storeDeliveries(table, deliveries);
  return deliveries;
}
