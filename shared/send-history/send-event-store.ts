import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type ProviderEvent, upsertEvent } from '#shared/events/event-store';
import { deliveredMessageOf, type EventAttributes } from '#shared/sending/event-attributes';
import { ownOutcomeEntry } from '#shared/sending/outcome-entry';
import { isTestSend, type Send } from '#shared/sending/send';
import { keyOf, reportedAsRead, sameSend, toSend } from '#shared/sending/send-items';
import {
  allOf,
  anyOf,
  type Clause,
  is,
  isAbove,
  isAbsent,
  updateIf,
} from '#shared/table/conditional-update';
import { outcomeIndexKey } from '#shared/table/send-keys';
import type { Table } from '#shared/table/table-client';
import { transactWrite, writeIf } from '#shared/table/writes';
import { slotIdIn } from '#shared/tokens/resource-id';
import type { Hit } from '#shared/tracking/engagement';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { putDeliveries } from '#shared/webhook-deliveries/delivery-store';
import { causeOf } from './causes.ts';
import { reportedOutcomes } from './listed-outcomes.ts';
import { type EventKind, firstAttributes, kindOf } from './outcome.ts';

// Writes require the same send, but not its state. The claim of a next attempt replaces the item, so the claim requires
// that no event was stored since it was read.

/**
 * Safe to repeat: the second call writes nothing. The delivery of the send's own message is an attribute of the send;
 * every other event is a separate item, written last, so its presence means that all the event's effects are stored.
 *
 * @param send as read; it may have changed since.
 */
export async function storeSendEvent(
  table: Table,
  send: Send,
  event: ProviderEvent,
): Promise<void> {
  if (event.type === 'delivered' && (await recordDelivery(table, send, event))) return;
  const kind = kindOf(event);
  if (kind !== undefined) await markFirst(table, send, kind, event.ts, reasonIn(event));
  await upsertEvent(table, send.feedbackId, event, send.expiresAt, {
    ...(send.test && { test: send.test }),
    ...listingOf(send, kind, event.ts),
  });
}

/** Metrics count these by the send's domain, key, template and tags, which its events don't have. */
function reasonIn({ type, reason, recipients = [] }: ProviderEvent): WhyBounced {
  if (type !== 'bounced') return {};
  const { diagnostic } = recipients.find((one) => one.diagnostic !== undefined) ?? {};
  return {
    bounceReason: causeOf({ reason, diagnostic }).code,
    ...(reason?.startsWith('Undetermined') && { isUndetermined: true }),
  };
}

type WhyBounced = Pick<EventAttributes, 'bounceReason' | 'isUndetermined'>;

/** Some outcomes are listed by their events, at the time `outcomeOf` gives them. */
function listingOf(send: Send, kind: EventKind | undefined, at: number) {
  const listed = reportedOutcomes.find((one) => one === kind);
  const mode = { isTest: isTestSend(send) };
  return listed && outcomeIndexKey(slotIdIn(send.id), listed, at, mode);
}

/** @returns whether it's stored; `false` for the delivery of another message. */
async function recordDelivery(
  table: Table,
  send: Send,
  { providerMessageId, ts }: ProviderEvent,
): Promise<boolean> {
  let existing: Send | undefined = send;
  for (;;) {
    // The send is gone, and its events with it.
    if (existing?.id !== send.id) return true;
    if (deliveredMessageOf(existing) !== providerMessageId) return false;
    if (existing.deliveredAt !== undefined && existing.deliveredAt <= ts) return true;
    const update = new UpdateCommand({
      TableName: table.name,
      ...updateIf(keyOf(send), { set: { deliveredAt: ts } }, [
        sameSend(send),
        isDeliveredMessage(providerMessageId),
        isNotBefore('deliveredAt', ts),
      ]),
    });
    const outcome = await writeIf(() => table.client.send(update));
    if (outcome.written) return true;
    existing = outcome.existing && toSend(outcome.existing);
  }
}

/** `deliveredMessageOf` as a condition. */
const isDeliveredMessage = (providerMessageId: string): Clause =>
  anyOf(
    is('deliveredOf', providerMessageId),
    allOf(isAbsent('deliveredOf'), is('providerMessageId', providerMessageId)),
  );

const isNotBefore = (name: string, at: number): Clause => anyOf(isAbsent(name), isAbove(name, at));

/** Records the first event of a kind whose events are separate items. */
export async function markFirst(
  table: Table,
  send: Send,
  kind: EventKind,
  at: number,
  why: WhyBounced = {},
): Promise<void> {
  const name = firstAttributes[kind];
  const known = send[name];
  if (known !== undefined && known <= at) return;
  const update = new UpdateCommand({
    TableName: table.name,
    ...updateIf(
      keyOf(send),
      // A hard bounce says why, whichever came first.
      kind === 'bounced'
        ? { set: { [name]: at, ...why } }
        : { set: { [name]: at, ...ownEntryAfter(send, kind, at) }, setOnce: why },
      [sameSend(send), isNotBefore(name, at)],
    ),
  });
  await writeIf(() => table.client.send(update));
}

/** A click wins over an open, and an end without an email over both, as in `outcomeOf`. */
function ownEntryAfter(send: Send, kind: EventKind, at: number) {
  if (kind !== 'opened' && kind !== 'clicked') return {};
  const isRejected = send.status === 'failed' && send.providerMessageId !== undefined;
  if (isRejected) return {};
  return kind === 'opened' && send.firstClickAt !== undefined
    ? {}
    : ownOutcomeEntry(send, kind, kind === 'opened' ? Math.min(at, send.openedAt ?? at) : at);
}

/** A hit is a fetch of the pixel. */
export async function countOpen(table: Table, send: Send, hit: Hit): Promise<void> {
  const update = new UpdateCommand({ TableName: table.name, ...openUpdate(send, hit) });
  await writeIf(() => table.client.send(update));
}

/**
 * Counts a fetch that webhooks report, with their deliveries.
 *
 * @returns `send_changed`, with nothing written, if another fetch was faster, or a person was erased from the send
 *   since the read.
 */
export async function countOpenNews(
  table: Table,
  send: Send,
  hit: Hit,
  deliveries: readonly Delivery[],
): Promise<'reported' | 'counted' | 'send_changed'> {
  const isStillNews = isAbsent(hit.isMachine ? 'opens' : 'openedAt');
  const outcome = await transactWrite(table, [
    { Update: openUpdate(send, hit, [...reportedAsRead(send), isStillNews]) },
    ...putDeliveries(deliveries),
  ]);
  if (outcome.committed) return 'reported';
  if (outcome.conditions[0]?.failed) return 'send_changed';
  // The deliveries exist, so it was reported before.
  await countOpen(table, send, hit);
  return 'counted';
}

const openUpdate = (send: Send, { at, isMachine }: Hit, clauses: readonly Clause[] = []) =>
  updateIf(
    keyOf(send),
    {
      setOnce: isMachine
        ? { machineOpenedAt: at }
        : { openedAt: at, ...ownOutcomeEntry(send, 'opened', at) },
      add: { opens: 1 },
    },
    [sameSend(send), ...clauses],
  );
