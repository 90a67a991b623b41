import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { openEventStore, type ProviderEvent } from '#shared/events/event-store';
import { messageHeardOf } from '#shared/sending/heard';
import { isTestSend, type Send } from '#shared/sending/send';
import { isReportedAsSeen, isSameSend, keyOf, toSend } from '#shared/sending/send-items';
import { listedOutcomes } from '#shared/sends/listed-outcomes';
import { outcomeIndexKey } from '#shared/table/send-keys';
import type { Table } from '#shared/table/table-client';
import { transactWrite, writeIf } from '#shared/table/writes';
import { ownPartIn, slotIdIn } from '#shared/tokens/resource-id';
import type { Hit } from '#shared/tracking/engagement';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { putDeliveries } from '#shared/webhook-deliveries/delivery-store';
import { firstAttributes, type HeardKind, kindOf } from './outcome.ts';

/**
 * Writes require the same send, but not its state. The claim of a next attempt replaces the item, so the claim requires
 * that nothing was heard since it was read.
 */
export function openHeardStore(table: Table) {
  const events = openEventStore(table);
  const { recordDelivery, markFirst } = openHeardWrites(table);

  /**
   * Safe to repeat: the second call writes nothing. The delivery of the send's own message is an attribute of the send;
   * every other event is a separate item, written last, so its presence means that all the event's effects are stored.
   *
   * @param send as read; it may have changed since.
   */
  async function record(send: Send, event: ProviderEvent): Promise<void> {
    if (event.type === 'delivered' && (await recordDelivery(send, event))) return;
    const kind = kindOf(event);
    if (kind !== undefined) await markFirst(send, kind, event.ts);
    await events.record(send.feedbackId, event, send.expiresAt, {
      ...(send.test && { test: send.test }),
      ...listingOf(send, kind, event.ts),
    });
  }

  return { record, markFirst, ...openOpens(table) };
}

/** Only rare outcomes are listed by their events, at the time `outcomeOf` gives them. */
function listingOf(send: Send, kind: HeardKind | undefined, at: number) {
  const listed = listedOutcomes.find((one) => one === kind);
  const mode = { isTest: isTestSend(send) };
  return listed && outcomeIndexKey(slotIdIn(send.id), listed, at, mode);
}

function openHeardWrites(table: Table) {
  /** @returns whether it's stored; `false` for the delivery of another message. */
  async function recordDelivery(
    send: Send,
    { providerMessageId, ts }: ProviderEvent,
  ): Promise<boolean> {
    let existing: Send | undefined = send;
    for (;;) {
      // The send is gone, and its events with it.
      if (existing?.id !== send.id) return true;
      if (messageHeardOf(existing) !== providerMessageId) return false;
      if (existing.deliveredAt !== undefined && existing.deliveredAt <= ts) return true;
      const update = new UpdateCommand({
        TableName: table.name,
        Key: keyOf(send),
        UpdateExpression: 'SET deliveredAt = :ts',
        ConditionExpression: `${isSameSend} AND (${isOfOwnMessage}) AND (${isEarlier('deliveredAt')})`,
        ExpressionAttributeValues: {
          ':nonce': ownPartIn(send.id),
          ':providerMessageId': providerMessageId,
          ':ts': ts,
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      const outcome = await writeIf(() => table.client.send(update));
      if (outcome.written) return true;
      existing = outcome.existing && toSend(outcome.existing);
    }
  }

  /** Records the first event of a kind whose events are separate items. */
  async function markFirst(send: Send, kind: HeardKind, at: number): Promise<void> {
    const name = firstAttributes[kind];
    const known = send[name];
    if (known !== undefined && known <= at) return;
    const update = new UpdateCommand({
      TableName: table.name,
      Key: keyOf(send),
      UpdateExpression: `SET ${name} = :ts`,
      ConditionExpression: `${isSameSend} AND (${isEarlier(name)})`,
      ExpressionAttributeValues: { ':nonce': ownPartIn(send.id), ':ts': at },
    });
    await writeIf(() => table.client.send(update));
  }

  return { recordDelivery, markFirst };
}

/** `messageHeardOf` as a condition. */
const isOfOwnMessage =
  'deliveredOf = :providerMessageId OR (attribute_not_exists(deliveredOf) AND providerMessageId = :providerMessageId)';

const isEarlier = (name: string): string => `attribute_not_exists(${name}) OR ${name} > :ts`;

function openOpens(table: Table) {
  /** A hit is a fetch of the pixel. */
  async function countOpen(send: Send, hit: Hit): Promise<void> {
    const update = new UpdateCommand({ TableName: table.name, ...openUpdate(send, hit) });
    await writeIf(() => table.client.send(update));
  }

  /**
   * Counts a fetch that webhooks report, with their outbox rows.
   *
   * @returns `send_changed`, with nothing written, if another fetch was faster, or a person was erased from the send
   *   since the read.
   */
  async function countOpenNews(
    send: Send,
    hit: Hit,
    deliveries: readonly Delivery[],
  ): Promise<'told' | 'counted' | 'send_changed'> {
    const { ConditionExpression, ExpressionAttributeValues, ...update } = openUpdate(send, hit);
    const asSeen = isReportedAsSeen(send);
    const isStillNews = `attribute_not_exists(${hit.isMachine ? 'opens' : 'openedAt'})`;
    const outcome = await transactWrite(table, [
      {
        Update: {
          ...update,
          ConditionExpression: [ConditionExpression, asSeen.clause, isStillNews].join(' AND '),
          ExpressionAttributeValues: { ...ExpressionAttributeValues, ...asSeen.values },
        },
      },
      ...putDeliveries(deliveries),
    ]);
    if (outcome.committed) return 'told';
    if (outcome.conditions[0]?.failed) return 'send_changed';
    // The rows exist, so it was reported before.
    await countOpen(send, hit);
    return 'counted';
  }

  return { countOpen, countOpenNews };
}

function openUpdate(send: Send, { at, isMachine }: Hit) {
  const first = isMachine ? 'machineOpenedAt' : 'openedAt';
  return {
    Key: keyOf(send),
    UpdateExpression: `SET ${first} = if_not_exists(${first}, :at) ADD opens :one`,
    ConditionExpression: isSameSend,
    ExpressionAttributeValues: { ':nonce': ownPartIn(send.id), ':at': at, ':one': 1 },
  };
}
