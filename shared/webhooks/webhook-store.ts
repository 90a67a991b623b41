import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { webhookKey, webhooksOf } from '#shared/table/keys';
import { queryAll } from '#shared/table/query-all';
import type { StoredItem, Table } from '#shared/table/table-client';
import { type TransactionItem, transactWrite } from '#shared/table/transact-write';
import { type OrganizationId, organizationIdOf, type WebhookId } from '#shared/tokens/resource-id';
import { subscribe, unsubscribe } from './subscription-store.ts';
import { maxWebhooks, type Webhook, webhookSchema } from './webhook.ts';

const isNew = 'attribute_not_exists(pk)';
const isThere = 'attribute_exists(pk)';

/** Stores a new endpoint and subscribes it, unless the organization has the most it may. */
export async function putNewWebhook(
  table: Table,
  webhook: Webhook,
): Promise<'stored' | 'too_many'> {
  const existing = await listWebhooks(table, organizationIdOf(webhook.id));
  if (existing.length >= maxWebhooks) return 'too_many';
  const outcome = await transactWrite(table, [
    {
      Put: {
        TableName: table.name,
        Item: { ...webhookKey(webhook.id), ...webhook },
        ConditionExpression: isNew,
      },
    },
    subscribe(table, webhook),
  ]);
  return outcome.committed ? 'stored' : 'too_many';
}

/**
 * Changes an endpoint that is as `before` says, and its subscription with it. What attempts have noted of
 * it is at most forgotten, as they write it at the same time.
 */
export async function replaceWebhook(
  table: Table,
  before: Webhook,
  after: Webhook,
): Promise<'stored' | 'changed_meanwhile' | 'too_many'> {
  const outcome = await transactWrite(table, [
    changeWebhook(table, before, after),
    after.disabled === undefined ? subscribe(table, after) : unsubscribe(table, after.id),
  ]);
  if (outcome.committed) return 'stored';
  return outcome.conditions[0]?.failed === true ? 'changed_meanwhile' : 'too_many';
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

const notes = ['failingSince', 'slowUntil'] as const;

function changeWebhook(table: Table, before: Webhook, after: Webhook): TransactionItem {
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
      ConditionExpression: '#updatedAt = :before',
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

/** Removes an endpoint and its subscription; its deliveries stay as a log. */
export async function deleteWebhook(table: Table, id: WebhookId): Promise<'deleted' | 'unknown'> {
  const outcome = await transactWrite(table, [
    { Delete: { TableName: table.name, Key: webhookKey(id), ConditionExpression: isThere } },
    unsubscribe(table, id),
  ]);
  return outcome.committed ? 'deleted' : 'unknown';
}

/** Reads an endpoint, strongly consistent. */
export async function getWebhook(table: Table, id: WebhookId): Promise<Webhook | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: webhookKey(id), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : toWebhook(Item);
}

/** The organization's endpoints, oldest first. */
export async function listWebhooks(
  table: Table,
  organizationId: OrganizationId,
): Promise<Webhook[]> {
  const items = await queryAll(table, webhooksOf(organizationId));
  return items.map(toWebhook).sort((one, other) => one.createdAt - other.createdAt);
}

/** Notes the first failure since the last success; later ones change nothing. */
export async function noteFailure(table: Table, id: WebhookId, now: number): Promise<void> {
  await update(table, id, 'SET failingSince = if_not_exists(failingSince, :now)', { ':now': now });
}

/** Notes that an endpoint is slow, until the moment `until`. */
export async function noteSlowness(table: Table, id: WebhookId, until: number): Promise<void> {
  await update(table, id, 'SET slowUntil = :until', { ':until': until });
}

/** Forgets the failures after a success. */
export async function noteSuccess(table: Table, id: WebhookId): Promise<void> {
  await update(table, id, 'REMOVE failingSince');
}

async function update(
  table: Table,
  id: WebhookId,
  expression: string,
  values?: Record<string, number>,
): Promise<void> {
  try {
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: webhookKey(id),
        UpdateExpression: expression,
        ConditionExpression: isThere,
        ...(values && { ExpressionAttributeValues: values }),
      }),
    );
  } catch (error) {
    // The endpoint was deleted meanwhile: there is nothing to note.
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** @throws ZodError when the stored item is not a webhook endpoint. */
const toWebhook = (item: StoredItem): Webhook => webhookSchema.parse(item);
