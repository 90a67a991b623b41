import { toAuditViews } from '#shared/access/audit-view';
import { readSettledEntries } from '#shared/audit/audit-store';
import { retentionDaysOf } from '#shared/organizations/organization';
import { getOrganization } from '#shared/organizations/organization-store';
import { expiryAfter } from '#shared/table/expiry';
import type { TableAndClock } from '#shared/table/table-client';
import { inParallel } from '#shared/timing/in-parallel';
import { organizationIdOf, type WebhookId } from '#shared/tokens/resource-id';
import {
  type AuditReader,
  findAuditReaders,
  getAuditReaders,
  storeAuditRead,
} from './audit-reader-store.ts';
import type { Delivery } from './delivery.ts';
import { organizationDeliveriesOf } from './outbox.ts';

export type AuditReporting = TableAndClock & {
  readonly sendRetentionDays: number;
  /** One bad webhook must not hold up the others. */
  readonly reportFailure: (webhookId: WebhookId, error: unknown) => void;
};

/** With the position, a transaction takes 100 items of 4 MB together. */
const pageSize = 50;
const concurrency = 16;

/**
 * Files a delivery of `audit.recorded` for each new entry, for each webhook that gets the audit. The writers of entries
 * needn't know of webhooks. Webhooks take turns, a page each, until `deadline`; the next run goes on.
 *
 * Deliveries leave no entry in the audit, so this can't feed itself.
 *
 * @returns how many it filed.
 */
export async function reportAudit(deadline: number, reporting: AuditReporting): Promise<number> {
  const { table, now, reportFailure } = reporting;
  let filed = 0;
  let turn = inAnyOrder(await findAuditReaders(table));
  while (turn.length > 0 && now() < deadline) {
    const withMore: WebhookId[] = [];
    const readers = await getAuditReaders(table, turn, reportFailure);
    await inParallel(readers, concurrency, async (reader) => {
      if (now() >= deadline) return;
      try {
        const page = await reportPage(reader, reporting);
        filed += page.filed;
        if (page.hasMore) withMore.push(reader.webhook.id);
      } catch (error) {
        reportFailure(reader.webhook.id, error);
      }
    });
    turn = withMore;
  }
  return filed;
}

async function reportPage(
  reader: AuditReader,
  { table, now, sendRetentionDays }: AuditReporting,
): Promise<{ readonly filed: number; readonly hasMore: boolean }> {
  const { webhook, readTo } = reader;
  const organizationId = organizationIdOf(webhook.id);
  const range = { after: readTo, limit: pageSize };
  const { entries, last } = await readSettledEntries(table, organizationId, range, now());
  if (last === undefined) return { filed: 0, hasMore: false };
  const organization = await getOrganization(table, organizationId);
  if (organization === undefined) return { filed: 0, hasMore: false };

  const at = now();
  const expiresAt = expiryAfter(at, retentionDaysOf(organization, sendRetentionDays));
  const { eventTypes } = webhook;
  const deliveries = (await toAuditViews(table, entries)).flatMap((data) =>
    organizationDeliveriesOf(
      { type: 'audit.recorded', key: `audit.recorded ${data.id}`, at: data.at, data },
      organizationId,
      expiresAt,
      { [webhook.id]: { eventTypes } },
    ).map((delivery): Delivery => ({ ...delivery, createdAt: at, updatedAt: at, dueAt: at })),
  );
  const outcome = await storeAuditRead(table, reader, last, deliveries);
  return outcome === 'stored'
    ? { filed: deliveries.length, hasMore: entries.length === pageSize }
    : { filed: 0, hasMore: false };
}

/** So that those at the end get their turn, too, if there are too many for a run. */
function inAnyOrder(ids: readonly WebhookId[]): readonly WebhookId[] {
  const start = Math.floor(Math.random() * ids.length);
  return [...ids.slice(start), ...ids.slice(0, start)];
}
