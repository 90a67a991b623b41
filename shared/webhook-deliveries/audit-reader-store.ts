import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { is, updateIf } from '#shared/table/conditional-update';
import { auditReadersPartition, webhookKey } from '#shared/table/keys';
import { batchGet } from '#shared/table/reads';
import { tableIndexes } from '#shared/table/table-attributes';
import type { Table } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/writes';
import { type WebhookId, webhookIdSchema } from '#shared/tokens/resource-id';
import { readsAudit, type Webhook } from '#shared/webhooks/webhook';
import { toWebhook } from '#shared/webhooks/webhook-store';
import type { Delivery } from './delivery.ts';
import { putDeliveries } from './delivery-store.ts';

/** A webhook that gets the audit, and how far it got: a sort key of the audit, or a time (`sortableTime`). */
export type AuditReader = { readonly webhook: Webhook; readonly readTo: string };

const entrySchema = z.object({ gsi1sk: webhookIdSchema });
const positionSchema = z.object({ auditReadTo: z.string() });

/** In every organization. One request if there is none. */
export async function findAuditReaders(table: Table): Promise<WebhookId[]> {
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      IndexName: tableIndexes.gsi1.name,
      KeyConditionExpression: 'gsi1pk = :pk',
      ExpressionAttributeValues: { ':pk': auditReadersPartition },
    },
  );
  const ids: WebhookId[] = [];
  for await (const { Items = [] } of pages) {
    ids.push(...Items.map((item) => entrySchema.parse(item).gsi1sk));
  }
  return ids;
}

/** Without those that don't get it anymore, and those that can't be read, which are reported. */
export async function getAuditReaders(
  table: Table,
  ids: readonly WebhookId[],
  reportFailure: (id: WebhookId, error: unknown) => void,
): Promise<AuditReader[]> {
  const itemOf = await batchGet(table, ids.map(webhookKey));
  return ids.flatMap((id) => {
    const item = itemOf(webhookKey(id));
    const position = positionSchema.safeParse(item).data;
    if (item === undefined || position === undefined) return [];
    try {
      const webhook = toWebhook(item);
      return readsAudit(webhook) ? [{ webhook, readTo: position.auditReadTo }] : [];
    } catch (error) {
      reportFailure(id, error);
      return [];
    }
  });
}

/**
 * Stores the deliveries and where to go on in one transaction, if nobody was faster: two runs at once, or one that dies,
 * neither repeat nor skip an entry. A webhook that stopped getting the audit in between gets nothing.
 */
export async function storeAuditRead(
  table: Table,
  reader: AuditReader,
  next: string,
  deliveries: readonly Delivery[],
): Promise<'stored' | 'changed_meanwhile'> {
  const position = updateIf(webhookKey(reader.webhook.id), { set: { auditReadTo: next } }, [
    is('auditReadTo', reader.readTo),
  ]);
  const outcome = await transactWrite(table, [{ Update: position }, ...putDeliveries(deliveries)]);
  if (outcome.committed) return 'stored';
  const [own, ...existing] = outcome.conditions;
  const isNew = deliveries.filter((_, index) => existing[index]?.failed === false);
  // It stopped and began again while a clock was behind: some were delivered before.
  return own?.failed === false && isNew.length < deliveries.length
    ? storeAuditRead(table, reader, next, isNew)
    : 'changed_meanwhile';
}
