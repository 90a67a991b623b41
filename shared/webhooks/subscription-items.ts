import { organizationKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import type { TransactionItem } from '#shared/table/transact-write';
import { organizationIdOf, type WebhookId } from '#shared/tokens/resource-id';
import { maxWebhooks, type Webhook } from './webhook.ts';

const isThere = 'attribute_exists(pk)';
const isSubscribed = 'attribute_exists(webhooks.#id)';
const hasRoom = 'size(webhooks) < :most';

/** Puts a webhook's subscription on its organization, which has at most `maxWebhooks` of them. */
export const putSubscription = (table: Table, { id, eventTypes }: Webhook): TransactionItem => ({
  Update: {
    TableName: table.name,
    Key: organizationKey(organizationIdOf(id)),
    UpdateExpression: 'SET webhooks.#id = :subscription',
    ConditionExpression: `${isThere} AND (${isSubscribed} OR ${hasRoom})`,
    ExpressionAttributeNames: { '#id': id },
    ExpressionAttributeValues: { ':subscription': { eventTypes }, ':most': maxWebhooks },
  },
});

/** Removes a webhook's subscription from its organization, if that was not deleted meanwhile. */
export const removeSubscription = (table: Table, id: WebhookId): TransactionItem => ({
  Update: {
    TableName: table.name,
    Key: organizationKey(organizationIdOf(id)),
    UpdateExpression: 'REMOVE webhooks.#id',
    // Where there is no item, there is no path to remove, and DynamoDB calls the expression invalid.
    ConditionExpression: isThere,
    ExpressionAttributeNames: { '#id': id },
  },
});
