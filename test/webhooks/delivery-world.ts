import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { putNewOrganization } from '#shared/organizations/organization-store';
import { dueShards } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import {
  feedbackIdOf,
  newOrganizationId,
  newWebhookId,
  type OrganizationId,
  organizationIdOf,
} from '#shared/tokens/resource-id';
import { type AttemptDependencies, attemptDelivery } from '#shared/webhooks/attempt-delivery';
import { createAttemptDependencies } from '#shared/webhooks/attempt-dependencies';
import type { Delivery } from '#shared/webhooks/delivery';
import { findDueDeliveries, toDeliveryItem } from '#shared/webhooks/delivery-store';
import { deliveriesOf } from '#shared/webhooks/outbox';
import { runDueDeliveries } from '#shared/webhooks/run-due-deliveries';
import { newWebhookSecret } from '#shared/webhooks/signature';
import type { Webhook } from '#shared/webhooks/webhook';
import { putNewWebhook } from '#shared/webhooks/webhook-store';
import { farExpiry } from '../support/delivery-builder.ts';
import { buildOrganization } from '../support/organization-builder.ts';
import { newSendId } from '../support/send-builder.ts';

/** An organization with webhooks in the real table, and the deliverer with a clock that tests move. */
export async function createDeliveryWorld(table: Table, timeoutMs = 15_000) {
  const organization = buildOrganization({ id: newOrganizationId(), webhooks: {} });
  await putNewOrganization(table, organization);
  let clock = Date.now();
  const real = createAttemptDependencies(table, {
    TABLE_NAME: table.name,
    WEBHOOK_MAX_ATTEMPTS: 5,
    WEBHOOK_TIMEOUT_MS: timeoutMs,
    WEBHOOK_ALLOW_LOOPBACK_HTTP: true,
  });
  const dependencies: AttemptDependencies = { ...real, now: () => clock };

  return {
    organizationId: organization.id,
    dependencies,
    now: () => clock,
    advance: (milliseconds: number) => {
      clock += milliseconds;
    },
    addEndpoint: (url: string, secret = newWebhookSecret()) =>
      addEndpoint(table, organization.id, url, secret, clock),
    /** `expiresAt` in epoch seconds. */
    deliverEvents: (count: number, endpoints: readonly Webhook[], expiresAt = farExpiry) =>
      storeEvents(table, organization.id, count, endpoints, clock, expiresAt),
    /** One run, as the schedule makes it, over what is due of this organization: the table is shared. */
    run: (overrides: Partial<AttemptDependencies> = {}) =>
      runDueDeliveries(clock + 60_000, {
        now: () => clock,
        shards: dueShards,
        readDuePage: async (shard, after) => {
          const page = await findDueDeliveries(table, shard, clock, after);
          const entries = page.entries.filter(({ id }) => organizationIdOf(id) === organization.id);
          return { ...page, entries };
        },
        attempt: (delivery) => attemptDelivery(delivery, 'due', { ...dependencies, ...overrides }),
        reportFailure: () => {},
      }),
  };
}

async function addEndpoint(
  table: Table,
  organizationId: OrganizationId,
  url: string,
  secret: string,
  now: number,
): Promise<Webhook> {
  const webhook: Webhook = {
    id: newWebhookId(organizationId),
    url,
    eventTypes: [],
    description: '',
    secret,
    previousSecrets: [],
    createdAt: now,
    updatedAt: now,
  };
  await putNewWebhook(table, webhook);
  return webhook;
}

/** BatchWriteItem takes so many. */
const batchSize = 25;

/** Stores the deliveries of events, as they stand once their event is stored. */
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
    const event = { type: 'email.delivered', key: 'delivered', at: now, data: {} } as const;
    const owner = { parent: feedbackIdOf(newSendId(organizationId)), expiresAt };
    return deliveriesOf(event, owner, subscriptions, now);
  }).flat();
  for (let start = 0; start < deliveries.length; start += batchSize) {
    const batch = deliveries.slice(start, start + batchSize);
    const requests = batch.map((delivery) => ({ PutRequest: { Item: toDeliveryItem(delivery) } }));
    await table.client.send(new BatchWriteCommand({ RequestItems: { [table.name]: requests } }));
  }
  return deliveries;
}
