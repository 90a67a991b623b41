import { dueDeliveries } from '#shared/table/delivery-keys';
import type { DuePage, DueReader } from '#shared/table/due-index';
import { newDeliveryId } from '#shared/tokens/delivery-id';
import { newOrganizationId, newWebhookId, type WebhookId } from '#shared/tokens/resource-id';
import type { DueEntry } from '#shared/webhook-deliveries/delivery-store';
import { buildDelivery } from '../webhooks/webhook-builder.ts';

const organizationId = newOrganizationId();

/** Ids of endpoints, in the order in which the index has them. */
export const newEndpoints = (count: number): WebhookId[] =>
  Array.from({ length: count }, () => newWebhookId(organizationId)).toSorted();

/** As many as most tests need. */
export function threeEndpoints(): readonly [WebhookId, WebhookId, WebhookId] {
  const [first, second, third] = newEndpoints(3);
  if (!first || !second || !third) throw new Error('three endpoints');
  return [first, second, third];
}

/** Due deliveries of one endpoint. */
export function dueTo(webhookId: WebhookId, count: number, dueAt = 0): DueEntry[] {
  const { id } = buildDelivery({ webhookId });
  return Array.from({ length: count }, () => ({
    id: newDeliveryId(id),
    owner: webhookId,
    webhookId,
    dueAt,
  }));
}

/** The most entries in a page. */
export const pageSize = 3;

/**
 * The index of due deliveries in memory, and the reads that it answered. The first shards have these
 * entries, each in the order in which they are due.
 */
export function openDueIndex(shards: readonly (readonly DueEntry[])[]) {
  const reads: string[] = [];
  const pageOf = (
    shard: number,
    webhookId: WebhookId,
    now: number,
    from: number,
  ): DuePage<DueEntry> => {
    const all = shards[shard] ?? [];
    const due = all.filter((entry) => entry.webhookId === webhookId && entry.dueAt <= now);
    const next = from + pageSize < due.length ? { from: from + pageSize } : undefined;
    return { entries: due.slice(from, from + pageSize), next };
  };
  const store: DueReader<WebhookId, DueEntry> = {
    shards: dueDeliveries.shards,
    findOwners: async (shard, now, after = undefined) => {
      reads.push(`${shard}: endpoints after ${after ?? 'none'}`);
      const all = (shards[shard] ?? []).map(({ webhookId }) => webhookId);
      const [first, ...others] = [...new Set(all)]
        .filter((id) => after === undefined || id > after)
        .toSorted();
      if (first === undefined) return { firstPages: [], next: undefined };
      const page = pageOf(shard, first, now, 0);
      return {
        firstPages: page.entries.length === 0 ? [] : [{ owner: first, page }],
        next: others.length > 0 ? first : undefined,
      };
    },
    find: async (shard, webhookId, now, after) => {
      const from = Number(after?.['from'] ?? 0);
      reads.push(`${shard}: ${webhookId} from ${from}`);
      return pageOf(shard, webhookId, now, from);
    },
  };
  return { store, reads };
}
