import { dueDeliveries } from '#shared/table/delivery-keys';
import { type DueOwners, findDue, findDueOwners } from '#shared/table/due-index';
import type { StoredItem, Table } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/writes';
import {
  type OrganizationId,
  organizationIdOf,
  type WebhookId,
  webhookIdSchema,
} from '#shared/tokens/resource-id';
import { claimDelivery } from '#shared/webhook-deliveries/attempt-store';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import {
  type DueEntry,
  dueDeliveryList,
  getDelivery,
  putDeliveries,
  toDeliveryItem,
} from '#shared/webhook-deliveries/delivery-store';
import { buildDelivery, webhookNow } from '../shared/webhooks/webhook-builder.ts';
import { storeItems } from './store-table.ts';

/** Stores a new delivery, as the transaction of its event does. */
export async function storeDelivery(
  table: Table,
  overrides: Parameters<typeof buildDelivery>[0] = {},
): Promise<Delivery> {
  const delivery = buildDelivery(overrides);
  await transactWrite(table, putDeliveries([delivery]));
  return delivery;
}

/** Stores any number of deliveries, as they are when their events are stored. */
export const storeDeliveries = (table: Table, deliveries: readonly Delivery[]): Promise<void> =>
  storeItems(table, deliveries.map(toDeliveryItem));

/** Stores a new delivery, and claims it for its first attempt. */
export async function storeClaimedDelivery(table: Table): Promise<Delivery> {
  const { id } = await storeDelivery(table);
  const claimed = await claimDelivery(table, id, 'first', webhookNow);
  if (claimed === undefined) throw new Error('not claimed');
  return claimed;
}

/** Those of the deliveries that are stored. */
export async function storedAmong(
  table: Table,
  deliveries: readonly Pick<Delivery, 'id'>[],
): Promise<Delivery[]> {
  const found = await Promise.all(deliveries.map(({ id }) => getDelivery(table, id, webhookNow)));
  return found.filter((delivery) => delivery !== undefined);
}

/** Finds what is due to one webhook at a moment, page by page of every shard. */
export async function findDueTo(
  table: Table,
  webhookId: WebhookId,
  moment: number,
): Promise<DueEntry[]> {
  const found: DueEntry[] = [];
  for (let shard = 0; shard < dueDeliveries.shards; shard += 1) {
    let after: StoredItem | undefined;
    do {
      const page = await findDue(table, dueDeliveryList, shard, webhookId, moment, after);
      found.push(...page.entries);
      after = page.next;
    } while (after !== undefined);
  }
  return found;
}

/** Sorts before the ids of all webhooks of an organization. */
export const beforeEndpointsOf = (organizationId: OrganizationId): WebhookId =>
  webhookIdSchema.parse(`whk_${organizationId.slice('org_'.length)}${'2'.repeat(16)}`);

/** Finds what is due to all webhooks of an organization at a moment. */
export async function findDueOf(
  table: Table,
  organizationId: OrganizationId,
  moment: number,
): Promise<DueEntry[]> {
  const webhookIds = new Set<WebhookId>();
  for (let shard = 0; shard < dueDeliveries.shards; shard += 1) {
    let after: WebhookId | undefined = beforeEndpointsOf(organizationId);
    while (after !== undefined && organizationIdOf(after) === organizationId) {
      const { firstPages, next }: DueOwners<WebhookId, DueEntry> = await findDueOwners(
        table,
        dueDeliveryList,
        shard,
        moment,
        after,
      );
      for (const { owner } of firstPages) webhookIds.add(owner);
      after = next;
    }
  }
  const own = [...webhookIds].filter((id) => organizationIdOf(id) === organizationId);
  const due = await Promise.all(own.map((id) => findDueTo(table, id, moment)));
  return due.flat();
}
