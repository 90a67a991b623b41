import type { AuditEntry } from '#shared/audit/audit-entry';
import { putIfEntered } from '#shared/audit/audit-store';
import { nothingElse } from '#shared/errors/nothing-else';
import type { Notice } from '#shared/notices/notice';
import { putNotice } from '#shared/notices/notice-store';
import { isResendEvent, webhookEventTypes } from '#shared/organizations/webhook-subscriptions';
import { type Change, exists, is, isNew, onlyIf, updateIf } from '#shared/table/conditional-update';
import {
  auditReaderIndexKey,
  organizationKey,
  sortableTime,
  webhookKey,
  webhooksOf,
} from '#shared/table/keys';
import { getItem, queryAll, readItem } from '#shared/table/reads';
import type { StoredItem, Table } from '#shared/table/table-client';
import { type TransactionItem, transactWrite } from '#shared/table/writes';
import { type OrganizationId, organizationIdOf, type WebhookId } from '#shared/tokens/resource-id';
import { maxWebhooks, readsAudit, type Webhook, webhookSchema } from './webhook.ts';

export async function getWebhook(table: Table, id: WebhookId): Promise<Webhook | undefined> {
  const item = await getItem(table, webhookKey(id));
  return item === undefined ? undefined : toWebhook(item);
}

/** Oldest first. */
export async function listWebhooks(
  table: Table,
  organizationId: OrganizationId,
): Promise<Webhook[]> {
  const items = await queryAll(table, webhooksOf(organizationId));
  return items.map(toWebhook).sort((one, other) => one.createdAt - other.createdAt);
}

/** Concurrent calls never subscribe more than `maxWebhooks`. */
export async function createWebhook(
  table: Table,
  webhook: Webhook,
  entry: AuditEntry,
): Promise<'stored' | 'too_many'> {
  const outcome = await transactWrite(table, [
    {
      Put: {
        Item: {
          ...webhookKey(webhook.id),
          ...(readsAudit(webhook) && auditReaderOf(webhook)),
          ...webhook,
        },
        ...onlyIf(isNew),
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
export async function replaceWebhook(
  table: Table,
  before: Webhook,
  after: Webhook,
  { entry, notice }: Alongside = {},
): Promise<'stored' | 'changed_meanwhile' | 'too_many'> {
  const outcome = await transactWrite(table, [
    {
      Update: updateIf(webhookKey(after.id), changeOf(before, after), [
        is('updatedAt', before.updatedAt),
      ]),
    },
    after.disabled === undefined ? putSubscription(after) : removeSubscription(after.id),
    ...putIfEntered(entry),
    ...(notice ? [putNotice(notice)] : []),
  ]);
  if (outcome.committed) return 'stored';
  const hasChanged = outcome.conditions[0]?.failed === true || after.disabled !== undefined;
  return hasChanged ? 'changed_meanwhile' : 'too_many';
}

export async function deleteWebhook(
  table: Table,
  id: WebhookId,
  entry: AuditEntry,
): Promise<'deleted' | 'unknown'> {
  const outcome = await transactWrite(table, [
    { Delete: { Key: webhookKey(id), ...onlyIf(exists) } },
    removeSubscription(id),
    ...putIfEntered(entry),
  ]);
  return outcome.committed ? 'deleted' : 'unknown';
}

/** Callers within `forMs` share a read. */
export function createSharedReads(table: Table, forMs: number, now: () => number) {
  const reads = new Map<WebhookId, { at: number; webhook: ReturnType<typeof getWebhook> }>();
  return {
    get: (id: WebhookId): Promise<Webhook | undefined> => {
      const known = reads.get(id);
      if (known !== undefined && now() - known.at < forMs) return known.webhook;
      const webhook = getWebhook(table, id);
      reads.set(id, { at: now(), webhook });
      webhook.catch(() => reads.delete(id));
      return webhook;
    },
    /** Once this process has changed it. */
    forget: (id: WebhookId): void => {
      reads.delete(id);
    },
  };
}
export type SharedReads = ReturnType<typeof createSharedReads>;

/** Stored with a change, or not at all. */
type Alongside = { readonly entry?: AuditEntry; readonly notice?: Notice };

/** Attempts record health and slowness at any time, so these are only removed. */
function changeOf(before: Webhook, after: Webhook): Change {
  const { id: _id, createdAt: _createdAt, disabled, ...noted } = after;
  const { health, failingSince, slowUntil, ...fields } = noted;
  const { url, eventTypes, tags, templates, description, format, ...others } = fields;
  const { secret, previousSecrets, updatedAt, pausedAt, maxAttempts, ...rest } = others;
  nothingElse(rest);
  const [readAudit, readsItNow] = [readsAudit(before), readsAudit(after)];
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
      ...(pausedAt !== undefined && { pausedAt }),
      ...(maxAttempts !== undefined && { maxAttempts }),
      ...(!readAudit && readsItNow && auditReaderOf(after)),
    },
    remove: [
      ...(readAudit && !readsItNow ? Object.keys(auditReaderOf(after)) : []),
      ...(before.format !== undefined && format === undefined ? ['format'] : []),
      ...(disabled === undefined ? ['disabled'] : []),
      ...(before.pausedAt !== undefined && pausedAt === undefined ? ['pausedAt'] : []),
      ...(before.maxAttempts !== undefined && maxAttempts === undefined ? ['maxAttempts'] : []),
      ...(before.health !== undefined && health === undefined ? ['health'] : []),
      ...(before.failingSince !== undefined && failingSince === undefined ? ['failingSince'] : []),
      ...(before.slowUntil !== undefined && slowUntil === undefined ? ['slowUntil'] : []),
    ],
  };
}

/** Lists it among those that get the audit, from now on: `shared/webhook-deliveries/audit-reader-store.ts`. */
const auditReaderOf = ({ id, updatedAt }: Webhook) => ({
  ...auditReaderIndexKey(id),
  auditReadTo: sortableTime(updatedAt),
});

export const toWebhook = (item: StoredItem): Webhook => readItem('webhook', webhookSchema, item);

const isThere = 'attribute_exists(pk)';
const isSubscribed = 'attribute_exists(webhooks.#id)';
const isBelowLimit = 'size(webhooks) < :most';

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
    ConditionExpression: `${isThere} AND (${isSubscribed} OR ${isBelowLimit})`,
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
