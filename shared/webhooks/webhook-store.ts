import type { AuditEntry } from '#shared/audit/audit-entry';
import { putIfEntered } from '#shared/audit/audit-store';
import { nothingElse } from '#shared/errors/nothing-else';
import type { Notice } from '#shared/notices/notice';
import { putNotice } from '#shared/notices/notice-store';
import { isResendEvent, webhookEventTypes } from '#shared/organizations/webhook-subscriptions';
import { type AttributeChange, updateExpressionOf } from '#shared/table/attribute-change';
import { organizationKey, webhookKey, webhooksOf } from '#shared/table/keys';
import { getItem, queryAll, readItem } from '#shared/table/reads';
import type { StoredItem, Table } from '#shared/table/table-client';
import { type TransactionItem, transactWrite } from '#shared/table/writes';
import { type OrganizationId, organizationIdOf, type WebhookId } from '#shared/tokens/resource-id';
import { maxWebhooks, type Webhook, webhookSchema } from './webhook.ts';

const isNew = 'attribute_not_exists(pk)';

const isThere = 'attribute_exists(pk)';

const isSameVersion = 'updatedAt = :before';

export function openWebhookStore(table: Table) {
  /** Refuses if the organization has `most` webhooks. */
  async function putNew(
    webhook: Webhook,
    entry: AuditEntry,
    most: number,
  ): Promise<'stored' | 'too_many'> {
    const existing = await list(organizationIdOf(webhook.id));
    if (existing.length >= most) return 'too_many';
    const outcome = await transactWrite(table, [
      {
        Put: {
          Item: { ...webhookKey(webhook.id), ...webhook },
          ConditionExpression: isNew,
        },
      },
      putSubscription(webhook),
      ...putIfEntered(entry),
    ]);
    return outcome.committed ? 'stored' : 'too_many';
  }

  /**
   * Requires that it's still the version `before` and that its organization exists. Attempts record health and slowness
   * at any time; a replacement may remove such a record but never sets one.
   */
  async function replace(
    before: Webhook,
    after: Webhook,
    { entry, notice }: Alongside = {},
  ): Promise<'stored' | 'changed_meanwhile' | 'too_many'> {
    const outcome = await transactWrite(table, [
      updateFrom(before, after),
      after.disabled === undefined ? putSubscription(after) : removeSubscription(after.id),
      ...putIfEntered(entry),
      ...(notice ? [putNotice(notice)] : []),
    ]);
    if (outcome.committed) return 'stored';
    const hasChanged = outcome.conditions[0]?.failed === true || after.disabled !== undefined;
    return hasChanged ? 'changed_meanwhile' : 'too_many';
  }

  async function remove(id: WebhookId, entry: AuditEntry): Promise<'deleted' | 'unknown'> {
    const outcome = await transactWrite(table, [
      { Delete: { Key: webhookKey(id), ConditionExpression: isThere } },
      removeSubscription(id),
      ...putIfEntered(entry),
    ]);
    return outcome.committed ? 'deleted' : 'unknown';
  }

  async function get(id: WebhookId): Promise<Webhook | undefined> {
    const item = await getItem(table, webhookKey(id));
    return item === undefined ? undefined : toWebhook(item);
  }

  async function list(organizationId: OrganizationId): Promise<Webhook[]> {
    const items = await queryAll(table, webhooksOf(organizationId));
    return items.map(toWebhook).sort((one, other) => one.createdAt - other.createdAt);
  }

  return { putNew, replace, delete: remove, get, list };
}
export type WebhookStore = ReturnType<typeof openWebhookStore>;

type Read = { readonly at: number; readonly webhook: ReturnType<WebhookStore['get']> };

/** Callers within `forMs` share a read. */
export function withSharedReads(
  webhooks: WebhookStore,
  forMs: number,
  now: () => number,
): WebhookStore {
  const reads = new Map<WebhookId, Read>();
  return {
    ...webhooks,
    get: (id) => {
      const known = reads.get(id);
      if (known !== undefined && now() - known.at < forMs) return known.webhook;
      const webhook = webhooks.get(id);
      reads.set(id, { at: now(), webhook });
      webhook.catch(() => reads.delete(id));
      return webhook;
    },
    replace: (before, after, alongside) => {
      reads.delete(before.id);
      return webhooks.replace(before, after, alongside).finally(() => reads.delete(before.id));
    },
  };
}

/** Stored with a change, or not at all. */
type Alongside = { readonly entry?: AuditEntry; readonly notice?: Notice };

function updateFrom(before: Webhook, after: Webhook): TransactionItem {
  const update = updateExpressionOf(changeOf(before, after));
  return {
    Update: {
      Key: webhookKey(after.id),
      ...update,
      ConditionExpression: isSameVersion,
      ExpressionAttributeValues: {
        ...update.ExpressionAttributeValues,
        ':before': before.updatedAt,
      },
    },
  };
}

/** Attempts record health and slowness at any time, so these are only removed. */
function changeOf(before: Webhook, after: Webhook): AttributeChange {
  const { id: _id, createdAt: _createdAt, disabled, ...noted } = after;
  const { health, failingSince, slowUntil, ...fields } = noted;
  const { url, eventTypes, tags, templates, description, format, ...others } = fields;
  const { secret, previousSecrets, updatedAt, ...rest } = others;
  nothingElse(rest);
  return {
    set: {
      url,
      eventTypes,
      tags,
      templates,
      description,
      secret,
      previousSecrets,
      updatedAt,
      ...(disabled && { disabled }),
      ...(format && { format }),
    },
    remove: [
      ...(before.format !== undefined && format === undefined ? ['format'] : []),
      ...(disabled === undefined ? ['disabled'] : []),
      ...(before.health !== undefined && health === undefined ? ['health'] : []),
      ...(before.failingSince !== undefined && failingSince === undefined ? ['failingSince'] : []),
      ...(before.slowUntil !== undefined && slowUntil === undefined ? ['slowUntil'] : []),
    ],
  };
}

const toWebhook = (item: StoredItem): Webhook => readItem('webhook', webhookSchema, item);

const isSubscribed = 'attribute_exists(webhooks.#id)';
const hasRoom = 'size(webhooks) < :most';

export const putSubscription = ({
  id,
  eventTypes,
  tags,
  templates,
  format,
}: Webhook): TransactionItem => ({
  Update: {
    Key: organizationKey(organizationIdOf(id)),
    UpdateExpression: 'SET webhooks.#id = :subscription',
    ConditionExpression: `${isThere} AND (${isSubscribed} OR ${hasRoom})`,
    ExpressionAttributeNames: { '#id': id },
    ExpressionAttributeValues: {
      ':subscription': {
        eventTypes: format === 'resend' ? resendTypesOf(eventTypes) : eventTypes,
        ...(tags.length > 0 && { tags }),
        ...(templates.length > 0 && { templates }),
        ...(format && { format }),
      },
      ':most': maxWebhooks,
    },
  },
});

/** An empty list means all types that Resend has. Types of a newer version stay, as none would mean all. */
const resendTypesOf = (eventTypes: Webhook['eventTypes']): Webhook['eventTypes'] =>
  eventTypes.length === 0 ? webhookEventTypes.filter(isResendEvent) : eventTypes;

/** Does nothing if the organization was deleted in between. */
const removeSubscription = (id: WebhookId): TransactionItem => ({
  Update: {
    Key: organizationKey(organizationIdOf(id)),
    UpdateExpression: 'REMOVE webhooks.#id',
    // Without an item there's no path to remove, and DynamoDB rejects the expression as invalid.
    ConditionExpression: isThere,
    ExpressionAttributeNames: { '#id': id },
  },
});
