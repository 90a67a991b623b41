import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putIfEntered } from '#shared/audit/audit-store';
import type { Notice } from '#shared/notices/notice';
import { putNotice } from '#shared/notices/notice-store';
import { writeIf } from '#shared/table/condition-failure';
import { webhookKey, webhooksOf } from '#shared/table/keys';
import { queryAll } from '#shared/table/query-all';
import { readItem } from '#shared/table/read-item';
import type { StoredItem, Table } from '#shared/table/table-client';
import { type TransactionItem, transactWrite } from '#shared/table/transact-write';
import { type OrganizationId, organizationIdOf, type WebhookId } from '#shared/tokens/resource-id';
import { slownessAt } from './slow-answers.ts';
import { putSubscription, removeSubscription } from './subscription-items.ts';
import { maxWebhooks, type Webhook, webhookSchema } from './webhook.ts';

const isNew = 'attribute_not_exists(pk)';
const isThere = 'attribute_exists(pk)';
const isSameVersion = '#updatedAt = :before';

/** Stores a new webhook and its subscription, unless the organization has `most` already. */
export async function putNewWebhook(
  table: Table,
  webhook: Webhook,
  entry?: AuditEntry,
  most: number = maxWebhooks,
): Promise<'stored' | 'too_many'> {
  const existing = await listWebhooks(table, organizationIdOf(webhook.id));
  if (existing.length >= most) return 'too_many';
  const outcome = await transactWrite(table, [
    {
      Put: {
        TableName: table.name,
        Item: { ...webhookKey(webhook.id), ...webhook },
        ConditionExpression: isNew,
      },
    },
    putSubscription(table, webhook),
    ...putIfEntered(table, entry),
  ]);
  return outcome.committed ? 'stored' : 'too_many';
}

/** What is stored with a change, or not at all. */
export type Alongside = { readonly entry?: AuditEntry; readonly notice?: Notice };

/**
 * Replaces a webhook, and its subscription with it, if it still is the version `before` and its organization is
 * there. Attempts note health and slowness at any time; a replacement can remove such a note, but never sets one.
 */
export async function replaceWebhook(
  table: Table,
  before: Webhook,
  after: Webhook,
  { entry, notice }: Alongside = {},
): Promise<'stored' | 'changed_meanwhile' | 'too_many'> {
  const outcome = await transactWrite(table, [
    updateFrom(table, before, after),
    after.disabled === undefined
      ? putSubscription(table, after)
      : removeSubscription(table, after.id),
    ...putIfEntered(table, entry),
    ...(notice ? [putNotice(table, notice)] : []),
  ]);
  if (outcome.committed) return 'stored';
  const hasChanged = outcome.conditions[0]?.failed === true || after.disabled !== undefined;
  return hasChanged ? 'changed_meanwhile' : 'too_many';
}

const changeable = [
  'url',
  'eventTypes',
  'description',
  'secret',
  'previousSecrets',
  'disabled',
  'updatedAt',
] as const;

const notes = ['health', 'slowUntil'] as const;

function updateFrom(table: Table, before: Webhook, after: Webhook): TransactionItem {
  const set = changeable.filter((name) => after[name] !== undefined);
  const removed = [
    ...changeable.filter((name) => after[name] === undefined),
    ...notes.filter((name) => before[name] !== undefined && after[name] === undefined),
  ];
  const remove = removed.length === 0 ? '' : ` REMOVE ${removed.map((name) => `#${name}`)}`;
  return {
    Update: {
      TableName: table.name,
      Key: webhookKey(after.id),
      UpdateExpression: `SET ${set.map((name) => `#${name} = :${name}`)}${remove}`,
      ConditionExpression: isSameVersion,
      ExpressionAttributeNames: Object.fromEntries(
        [...set, ...removed].map((name) => [`#${name}`, name]),
      ),
      ExpressionAttributeValues: {
        ':before': before.updatedAt,
        ...Object.fromEntries(set.map((name) => [`:${name}`, after[name]])),
      },
    },
  };
}

/** Deletes a webhook and its subscription. Its deliveries stay as a log. */
export async function deleteWebhook(
  table: Table,
  id: WebhookId,
  entry?: AuditEntry,
): Promise<'deleted' | 'unknown'> {
  const outcome = await transactWrite(table, [
    { Delete: { TableName: table.name, Key: webhookKey(id), ConditionExpression: isThere } },
    removeSubscription(table, id),
    ...putIfEntered(table, entry),
  ]);
  return outcome.committed ? 'deleted' : 'unknown';
}

/** Reads a webhook, strongly consistent. */
export async function getWebhook(table: Table, id: WebhookId): Promise<Webhook | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: webhookKey(id), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : toWebhook(Item);
}

/** The webhooks of an organization, oldest first. */
export async function listWebhooks(
  table: Table,
  organizationId: OrganizationId,
): Promise<Webhook[]> {
  const items = await queryAll(table, webhooksOf(organizationId));
  return items.map(toWebhook).sort((one, other) => one.createdAt - other.createdAt);
}

/**
 * Counts a slow answer, as `slownessAt` says. Answers at the same moment all count: no write depends on
 * the exact value that it finds.
 */
export async function noteSlowness(table: Table, id: WebhookId, now: number): Promise<void> {
  const { addedMs, empty, full } = slownessAt(now);
  const isEmpty = '(attribute_not_exists(slowUntil) OR slowUntil <= :empty)';
  const first = { ':empty': empty, ':first': empty + addedMs };
  const begun = await update(table, id, 'SET slowUntil = :first', first, isEmpty);
  if (begun) return;
  const holdsMore = '(slowUntil > :empty AND slowUntil < :full)';
  const next = { ':empty': empty, ':full': full, ':added': addedMs };
  await update(table, id, 'SET slowUntil = slowUntil + :added', next, holdsMore);
}

/** @returns whether it was written: not when the condition does not hold, or the webhook was deleted. */
async function update(
  table: Table,
  id: WebhookId,
  expression: string,
  values?: Record<string, number>,
  condition?: string,
): Promise<boolean> {
  const { written } = await writeIf(() =>
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: webhookKey(id),
        UpdateExpression: expression,
        ConditionExpression: condition === undefined ? isThere : `${isThere} AND ${condition}`,
        ...(values && { ExpressionAttributeValues: values }),
      }),
    ),
  );
  return written;
}

/** @throws UnreadableItemError when the stored item is not a webhook. */
const toWebhook = (item: StoredItem): Webhook => readItem('webhook', webhookSchema, item);

export const openWebhookStore = (table: Table) => ({
  putNew: (webhook: Webhook, entry: AuditEntry, most: number) =>
    putNewWebhook(table, webhook, entry, most),
  /** Replaces the version `before` of a webhook. What the service changes by itself has no entry. */
  replace: (before: Webhook, after: Webhook, alongside?: Alongside) =>
    replaceWebhook(table, before, after, alongside),
  delete: (id: WebhookId, entry: AuditEntry) => deleteWebhook(table, id, entry),
  get: (id: WebhookId) => getWebhook(table, id),
  list: (organizationId: OrganizationId) => listWebhooks(table, organizationId),
  /** Counts a slow answer. */
  noteSlowness: (id: WebhookId, now: number) => noteSlowness(table, id, now),
});
export type WebhookStore = ReturnType<typeof openWebhookStore>;
