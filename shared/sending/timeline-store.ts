import { GetCommand, paginateQuery, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type Event, eventTypes } from '#shared/events/event';
import { toEvent } from '#shared/events/event-store';
import { toOrganization } from '#shared/organizations/organization-store';
import { batchGet } from '#shared/table/batch-get';
import {
  organizationKey,
  providerMessageIndexKey,
  sendKey,
  sendPartition,
} from '#shared/table/keys';
import { tableIndexes } from '#shared/table/table-attributes';
import type { Table } from '#shared/table/table-client';
import { type FeedbackId, feedbackIdSchema, organizationIdOf } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhooks/delivery';
import { toDelivery } from '#shared/webhooks/delivery-store';
import type { WebhookSubscriptions } from '#shared/webhooks/webhook';
import { type Message, messageSchema, type Send, sendSchema } from './send.ts';

/** A send with everything recorded of it, each list oldest first. */
export type Timeline = {
  readonly send: Send;
  readonly messages: readonly Message[];
  readonly events: readonly Event[];
  readonly deliveries: readonly Delivery[];
};

/** Reads a send's whole partition: one Query, and more only past DynamoDB's 1 MB page. */
export async function readTimeline(
  table: Table,
  feedbackId: FeedbackId,
): Promise<Timeline | undefined> {
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': sendPartition(feedbackId) },
      ConsistentRead: true,
    },
  );
  let send: Send | undefined;
  const messages: Message[] = [];
  const events: Event[] = [];
  const deliveries: Delivery[] = [];
  for await (const page of pages) {
    for (const item of page.Items ?? []) {
      const [kind] = z.string().parse(item['sk']).split('#');
      if (kind === 'SEND') send = sendSchema.parse(item);
      if (kind === 'MESSAGE') messages.push(messageSchema.parse(item));
      if (kind === 'EVENT') events.push(toEvent(item));
      if (kind === 'DELIVERY') deliveries.push(toDelivery(item));
    }
  }
  if (send === undefined) return undefined;
  messages.sort((one, other) => one.createdAt - other.createdAt);
  events.sort(byLifecycle);
  deliveries.sort((one, other) => one.createdAt - other.createdAt);
  return { send, messages, events, deliveries };
}

/** `sent` comes first whatever the clocks of SES and ours say; equal moments go in the order of life. */
function byLifecycle(one: Event, other: Event): number {
  const isSent = (event: Event) => Number(event.type === 'sent');
  const rank = (event: Event) => eventTypes.indexOf(event.type);
  return isSent(other) - isSent(one) || one.ts - other.ts || rank(one) - rank(other);
}

/** Reads a send, strongly consistent. */
export async function getSend(table: Table, feedbackId: FeedbackId): Promise<Send | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: sendKey(feedbackId), ConsistentRead: true }),
  );
  return Item === undefined ? undefined : sendSchema.parse(Item);
}

/** A send, and which webhook endpoints want to hear of it. */
export type SubscribedSend = {
  readonly send: Send;
  readonly subscriptions: WebhookSubscriptions;
};

/** Reads a send with its organization's webhook subscriptions, strongly consistent, in one call. */
export async function getSubscribedSend(
  table: Table,
  feedbackId: FeedbackId,
): Promise<SubscribedSend | undefined> {
  const keys = [sendKey(feedbackId), organizationKey(organizationIdOf(feedbackId))] as const;
  const itemOf = await batchGet(table, keys);
  const send = itemOf(keys[0]);
  const organization = itemOf(keys[1]);
  if (send === undefined || organization === undefined) return undefined;
  return { send: sendSchema.parse(send), subscriptions: toOrganization(organization).webhooks };
}

/**
 * The feedback id of the send that SES gave this message id; `undefined` when there is none. Reads an
 * index, so a message committed within the last moments may be missed.
 */
export async function findFeedbackId(
  table: Table,
  providerMessageId: string,
): Promise<FeedbackId | undefined> {
  const key = providerMessageIndexKey(providerMessageId);
  const { Items } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: tableIndexes.gsi1.name,
      KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk = :sk',
      ExpressionAttributeValues: { ':pk': key.gsi1pk, ':sk': key.gsi1sk },
      Limit: 1,
    }),
  );
  const partition = Items?.[0]?.['pk'];
  const [, feedbackId] = z.optional(z.string()).parse(partition)?.split('#SEND#') ?? [];
  return feedbackId === undefined ? undefined : feedbackIdSchema.parse(feedbackId);
}
