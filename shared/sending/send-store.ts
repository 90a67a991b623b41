import { isDeepStrictEqual } from 'node:util';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putIfEntered } from '#shared/audit/audit-store';
import { tellsCreation } from '#shared/email/ses-message-id';
import {
  anyOf,
  type Clause,
  is,
  isAsRead,
  isAtMost,
  isBelow,
  isNew,
  onlyIf,
  updateIf,
} from '#shared/table/conditional-update';
import { toSeconds } from '#shared/table/expiry';
import { getItem } from '#shared/table/reads';
import { providerMessageIndexKey, sendKey, waitingIndexKey } from '#shared/table/send-keys';
import type { Table } from '#shared/table/table-client';
import { transactWrite, writeIf } from '#shared/table/writes';
import { freedSlotIdOf, type SlotId, slotIdIn } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { putDeliveries, writeWithDeliveries } from '#shared/webhook-deliveries/delivery-store';
import { erasedBetween, forgetting, reportedNames, withoutPersons } from './erased-recipients.ts';
import { eventAttributeNames } from './event-attributes.ts';
import { type StateAfterFailure, stateAfterFailure } from './later/waiting.ts';
import { endOfAttempt, ownOutcomeChange, ownOutcomeEntry } from './outcome-entry.ts';
import {
  type Acceptance,
  type ClaimedSend,
  classifyAcceptance,
  type FailedAttempt,
  factsOf,
  type Send,
  type SentSend,
} from './send.ts';
import {
  becomes,
  hasKey,
  keyOf,
  noMessage,
  notProven,
  putFurtherMessage,
  putFurtherRecipients,
  readSend,
  sameAttempt,
  sameFailures,
  sameSend,
  sameStatus,
  toSend,
  toSendItem,
  touchSent,
} from './send-items.ts';

// The writes of the send protocol: claims, outcomes, and the freeing of a key. Workers' own are in
// `later/waiting-store.ts`.

/** Written, or the send that has the slot instead; `undefined` if it was just deleted. */
export type PutOutcome =
  | { readonly isOurs: true }
  | { readonly isOurs: false; readonly existing: Send | undefined };

/** Takes a slot that no send has. */
export const putFirstAttempt = async (
  table: Table,
  send: ClaimedSend,
  deliveries: readonly Delivery[],
): Promise<PutOutcome> =>
  toPutOutcome(
    send,
    await putSend(
      table,
      send,
      [anyOf(isNew, isAtMost('expiresAt', toSeconds(send.claimedAt)))],
      deliveries,
    ),
  );

/**
 * Replaces a send by its next attempt. Requires the send as it was read: no new attempt, and no news of the last one. A
 * takeover that fails while an earlier attempt is in doubt only adds a failure, so the number of failures counts too.
 */
export async function putNextAttempt(
  table: Table,
  send: ClaimedSend,
  before: Send,
  deliveries: readonly Delivery[],
): Promise<PutOutcome> {
  const asSeen = [
    sameSend(before),
    sameAttempt(before),
    sameStatus(before),
    notProven,
    hasKey,
    sameFailures(before),
    ...isAsRead(before, eventAttributeNames),
  ];
  return toPutOutcome(send, await putSend(table, send, asSeen, deliveries, before));
}

function toPutOutcome(send: Send, outcome: Awaited<ReturnType<typeof putSend>>): PutOutcome {
  if (outcome.written) return { isOurs: true };
  const existing = outcome.existing && toSend(outcome.existing);
  return existing && isOurs(existing, send) ? { isOurs: true } : { isOurs: false, existing };
}

/**
 * Whether the SDK repeated our own write because its answer was lost. If an earlier attempt was proven accepted in
 * between, the send is no longer ours.
 */
export const isOurs = (
  existing: Send,
  { claimId, status }: Pick<Send, 'claimId' | 'status'>,
): boolean =>
  existing.claimId === claimId && existing.status === status && existing.provenAt === undefined;

/** @param before the send as it was before its next attempt. */
export async function putSend(
  table: Table,
  send: Send,
  clauses: readonly Clause[],
  deliveries: readonly Delivery[],
  before?: Send,
): ReturnType<typeof writeIf> {
  const write = { Item: toSendItem(send), ...onlyIf(...clauses) };
  return writeWithDeliveries(table, { Put: write }, deliveries, putFurtherRecipients(send, before));
}

/** The send that an idempotency key leads to, and the one in the key's own slot: usually the same. */
export type KeyedSend = { readonly origin: Send; readonly send: Send };

/** Reads the send that a slot's key leads to, strongly consistent. */
export async function getKeyedSend(
  table: Table,
  slotId: SlotId,
  now: number,
): Promise<KeyedSend | undefined> {
  const item = await getItem(table, sendKey(slotId));
  const origin = item && toSend(item);
  if (origin === undefined || origin.expiresAt <= toSeconds(now)) return undefined;
  if (origin.freed === undefined) return { origin, send: origin };
  const freedKey = sendKey(freedSlotIdOf(origin.id, origin.freed));
  const send = readSend(await getItem(table, freedKey), now);
  return send === undefined || send.freed !== undefined ? undefined : { origin, send };
}

/**
 * Keeps the send in the key's own slot for as long as the one the key leads to now. Without it, a request with the key
 * would count as the first. Reads hide it once its own time is over; if that is so already, this also takes away what
 * it says of people. Runs between the claim and the email: if the process dies before it, the attempt that takes over
 * runs it too.
 *
 * @returns whether the key still leads to `send`. If not, another request has used the freed key, and this one must not
 *   send.
 */
export async function keepOrigin(table: Table, origin: Send, send: Send): Promise<boolean> {
  if (origin.expiresAt >= send.expiresAt) return true;
  const { expiresAt, claimedAt } = send;
  const isHidden = (origin.forgottenAt ?? origin.expiresAt) <= toSeconds(claimedAt);
  const update = keepUntil(origin, expiresAt, isHidden);
  // Its recipients lead to it as long as it names them.
  const alsoWritten = isHidden ? [] : putFurtherRecipients({ ...origin, expiresAt });
  const outcome = await writeWithDeliveries(table, { Update: update }, [], alsoWritten);
  if (outcome.written) return true;
  const existing = outcome.existing && toSend(outcome.existing);
  return (
    existing?.id === origin.id &&
    existing.freed === origin.freed &&
    existing.expiresAt >= send.expiresAt
  );
}

function keepUntil(origin: Send, until: number, isHidden: boolean) {
  const { set, remove } = isHidden ? forgetting() : { set: {}, remove: [] };
  return updateIf(
    keyOf(origin),
    {
      set: { expiresAt: until, ...set },
      // An erasure may have brought it forward since the send was read.
      copyOnce: { forgottenAt: 'expiresAt' },
      remove,
    },
    [sameSend(origin), is('freed', origin.freed), isBelow('expiresAt', until)],
  );
}

/**
 * The send stays in its slot, which its ids name. Writes `freed` to it, as the tombstone, and to the send in the key's
 * own slot, as the counter: see `sendFactsSchema`. A key freed for the first time has one send for both.
 *
 * The transaction requires the sends as read: if two frees, or a free and a retry's next attempt, run at once, one
 * wins.
 */
export async function freeKey(
  table: Table,
  { origin, send }: KeyedSend,
  entry: AuditEntry | undefined,
): Promise<'freed' | 'changed_meanwhile'> {
  const set = { freed: (origin.freed ?? 0) + 1 };
  const isOwnSlot = send.id === origin.id;
  const outcome = await transactWrite(table, [
    {
      Update: updateIf(keyOf(send), { set }, [
        sameSend(send),
        sameAttempt(send),
        sameStatus(send),
        hasKey,
      ]),
    },
    ...(isOwnSlot
      ? []
      : [
          {
            Update: updateIf(keyOf(origin), { set }, [sameSend(origin), is('freed', origin.freed)]),
          },
        ]),
    ...putIfEntered(entry),
  ]);
  return outcome.committed ? 'freed' : 'changed_meanwhile';
}

/**
 * - `settled`: the report made the send `sent`.
 * - `further`: the send already had another message.
 * - `known`: it was recorded before.
 * - `gone`: the send expired, or another one has its slot.
 */
export type AcceptanceOutcome = {
  readonly kind: 'settled' | 'further' | 'known' | 'gone';
  readonly send: Send;
};

/**
 * - `failed`: the send is `failed`, and a retry makes the next attempt.
 * - `postponed`: the send is `queued`, and workers make the next attempt.
 * - `held`: an earlier attempt may still be proven accepted, so the send stays `sending`.
 * - `lost`: a later attempt has the send, or the email is proven to be sent.
 */
export type FailureOutcome = 'failed' | 'postponed' | 'held' | 'lost';

/**
 * Commits an accepted email: one conditional Update of the send, or a transaction with the deliveries of `email.sent`.
 * Both the request and every SES event call this; whichever comes first settles the send. A further message gets its
 * own item.
 *
 * An acceptance holds for every attempt. What it means depends on the send's state, so the write requires the send as
 * read: in between, one event may have settled the send and another rejected it.
 *
 * The deliveries are written only if the send still names the same recipient: a process that slept through an erasure
 * must not bring the address back. They expire with the send, which a takeover keeps for longer.
 *
 * @param send as read or claimed.
 * @param deliveries of the acceptance, made from that send.
 */
export async function commitAcceptance(
  table: Table,
  send: Send,
  acceptance: Acceptance,
  deliveries: readonly Delivery[],
): Promise<AcceptanceOutcome> {
  const { providerMessageId, at } = acceptance;
  let seen = send;
  let current = deliveries;
  for (;;) {
    const verdict = classifyAcceptance(seen, providerMessageId);
    if (verdict === 'known') return { kind: 'known', send: seen };

    const outcome =
      verdict === 'first'
        ? await settle(table, seen, acceptance, current)
        : await putFurther(table, seen, acceptance, current);
    if (outcome.kind === 'settled') {
      const settled: SentSend = { ...factsOf(seen), status: 'sent', providerMessageId, sentAt: at };
      return { kind: 'settled', send: settled };
    }
    if (outcome.kind !== 'changed') return { kind: outcome.kind, send: seen };

    const { existing } = outcome;
    if (existing?.id !== send.id) return { kind: 'gone', send };
    const erased = erasedBetween(seen, existing);
    const { expiresAt } = existing;
    current = current.map((one) => ({ ...withoutPersons(one, erased), expiresAt }));
    seen = existing;
  }
}

type Changed = { readonly kind: 'changed'; readonly existing: Send | undefined };

async function settle(
  table: Table,
  send: Send,
  acceptance: Acceptance,
  deliveries: readonly Delivery[],
): Promise<{ readonly kind: 'settled' } | Changed> {
  const update = settlement(send, acceptance, deliveries.length > 0);
  // The deliveries may exist: this was recorded as a further message before the first one was rejected.
  const outcome = await writeWithDeliveries(table, { Update: update }, deliveries);
  if (outcome.written) return { kind: 'settled' };
  return { kind: 'changed', existing: outcome.existing && toSend(outcome.existing) };
}

/** If the send's own message is rejected in between, this one settles the send. */
async function putFurther(
  table: Table,
  send: Send,
  acceptance: Acceptance,
  deliveries: readonly Delivery[],
): Promise<{ readonly kind: 'further' | 'known' } | Changed> {
  const outcome = await transactWrite(table, [
    touchSent(send, acceptance.at, deliveries.length > 0),
    putFurtherMessage(send, acceptance),
    ...putDeliveries(deliveries),
  ]);
  if (outcome.committed) return { kind: 'further' };
  const [own] = outcome.conditions;
  if (own?.failed !== true) return { kind: 'known' };
  return { kind: 'changed', existing: own.item && toSend(own.item) };
}

/** @param requiresNames whether the recipient must be as read: see `commitAcceptance`. */
function settlement(
  send: Send,
  { providerMessageId, at, attachmentBytes }: Acceptance,
  requiresNames: boolean,
) {
  const tellsWhen = tellsCreation(providerMessageId, send.createdAt);
  const entry = tellsWhen ? {} : providerMessageIndexKey(providerMessageId);
  // SES may have rejected the send's message. Another one may replace it.
  const rejected = send.providerMessageId;
  const own = ownOutcomeChange({ ...send, status: 'sent' });
  const sent = becomes<'sent'>({
    status: 'sent',
    providerMessageId,
    sentAt: at,
    provenAt: undefined,
    dueAt: undefined,
    waitingKey: undefined,
  });
  return updateIf(
    keyOf(send),
    {
      set: {
        ...sent.set,
        ...(attachmentBytes !== undefined && { attachmentBytes }),
        ...entry,
        ...own.set,
      },
      ...(rejected !== undefined && { setOnce: { deliveredOf: rejected } }),
      // An earlier claim or failure may have stored an `updatedAt`. Without one, `toSend` takes `sentAt` for it
      // (`impliedIn` in `send-items.ts`). One Update can't both set a name and remove it.
      remove: [
        'updatedAt',
        ...sent.remove.filter((name) => !Object.hasOwn(entry, name)),
        ...own.remove,
      ],
    },
    [
      sameSend(send),
      sameAttempt(send),
      rejected === undefined ? noMessage : is('providerMessageId', rejected),
      // Another process may have listed it as clicked since.
      ...isAsRead(send, ['firstClickAt']),
      ...(requiresNames ? isAsRead(send, reportedNames) : []),
    ],
  );
}

/**
 * Only the attempt itself may record that it sent nothing: one that was given up can't speak for its successor.
 *
 * @param reason SES's name for it, such as `MessageRejected`.
 * @param deliveries of the failure, not written if the send is held.
 */
export async function recordFailure(
  table: Table,
  send: Send,
  reason: string,
  now: number,
  deliveries: readonly Delivery[] = [],
): Promise<FailureOutcome> {
  const after = stateAfterFailure(send, reason, now);
  const write = (report: Report) => {
    const update = failureUpdate(send, { at: now, reason }, after, report);
    return writeWithDeliveries(table, { Update: update }, report.deliveries);
  };
  const outcome = await asNamed(send, after.kind === 'failed' ? deliveries : [], write);
  if (outcome.written) return after.kind;

  const existing = outcome.existing && toSend(outcome.existing);
  const recorded = { claimId: send.claimId, status: statusAfter[after.kind] };
  return existing?.id === send.id && isOurs(existing, recorded) ? after.kind : 'lost';
}

/**
 * SES accepted a message and then rejected its content: the send has failed, and a retry makes the next attempt. If the
 * rejected message is a further one, nothing changes.
 *
 * @param deliveries of the failure.
 * @returns whether this report made the send fail.
 */
export async function recordRejection(
  table: Table,
  send: Send,
  acceptance: Acceptance,
  reason: string,
  deliveries: readonly Delivery[] = [],
): Promise<boolean> {
  const write = (report: Report) => {
    const update = rejectionUpdate(send, acceptance, reason, report);
    return writeWithDeliveries(table, { Update: update }, report.deliveries);
  };
  return (await asNamed(send, deliveries, write)).written;
}

/** Deliveries, and the send as it named people when they were made. */
type Report = { readonly deliveries: readonly Delivery[]; readonly named: Send };

const namesIn = (send: Send) => reportedNames.map((name) => send[name]);

/** Deliveries as `commitAcceptance` requires them: made again without people erased since the read. */
async function asNamed(
  send: Send,
  deliveries: readonly Delivery[],
  write: (report: Report) => ReturnType<typeof writeIf>,
): ReturnType<typeof writeIf> {
  let named = send;
  let current = deliveries;
  for (;;) {
    const outcome = await write({ deliveries: current, named });
    if (outcome.written || current.length === 0) return outcome;
    const existing = outcome.existing && toSend(outcome.existing);
    const isSameButNames =
      existing?.id === send.id && !isDeepStrictEqual(namesIn(existing), namesIn(named));
    if (!isSameButNames) return outcome;
    const erased = erasedBetween(named, existing);
    current = current.map((one) => withoutPersons(one, erased));
    named = existing;
  }
}

const statusAfter = { failed: 'failed', postponed: 'queued', held: 'sending' } as const;

function failureUpdate(
  send: Send,
  { at, reason }: Pick<FailedAttempt, 'at' | 'reason'>,
  after: StateAfterFailure,
  { deliveries, named }: Report,
) {
  const failure: FailedAttempt = { attempt: send.attempt, at, reason };
  const { set, remove } = changeAfter(send, after);
  // A send that is held fails when its lease ends, unless an earlier attempt is proven: see `stateAt`.
  const own = after.kind === 'postponed' ? {} : ownOutcomeEntry(send, 'failed', at);
  return updateIf(
    keyOf(send),
    { set: { updatedAt: at, ...set, ...own }, append: { attempts: [failure] }, remove },
    [
      sameSend(send),
      sameAttempt(send),
      is('status', 'sending'),
      notProven,
      sameFailures(send),
      ...(deliveries.length > 0 ? isAsRead(named, reportedNames) : []),
      // If workers have given it up, it's in no index and stays out.
      ...(after.kind === 'postponed' ? [is('dueAt', send.dueAt)] : []),
    ],
  );
}

function changeAfter(send: Send, after: StateAfterFailure) {
  switch (after.kind) {
    case 'failed':
      return becomes<'failed', 'sending'>({
        status: 'failed',
        dueAt: undefined,
        waitingKey: undefined,
      });
    case 'postponed': {
      const { dueAt } = after;
      const { set, remove } = becomes<'queued', 'sending'>({ status: 'queued', dueAt });
      const { gsi1sk } = waitingIndexKey(slotIdIn(send.id), dueAt);
      return { set: { ...set, gsi1sk }, remove };
    }
    case 'held':
      return { set: {}, remove: [] };
  }
}

function rejectionUpdate(
  send: Send,
  { providerMessageId, at }: Acceptance,
  reason: string,
  { deliveries, named }: Report,
) {
  const { set, remove } = becomes<'failed', 'sent'>({ status: 'failed' });
  return updateIf(
    keyOf(send),
    {
      set: { ...set, updatedAt: at, ...ownOutcomeEntry(send, 'failed', at) },
      append: {
        attempts: [{ attempt: send.attempt, at, reason, providerMessageId, sentAt: at }],
      },
      remove,
    },
    [
      sameSend(send),
      is('status', 'sent'),
      is('providerMessageId', providerMessageId),
      ...(deliveries.length > 0 ? isAsRead(named, reportedNames) : []),
    ],
  );
}

/**
 * Marks a send as out although its message id is unknown: its pixel or link was fetched, or an event about it couldn't
 * be recorded. Both prove that SES took the email, so no further attempt is made. Whatever learns the message id
 * removes the mark.
 *
 * An event may be repeated after its message was rejected, during a later attempt, and proves nothing about that one.
 * So the write requires the attempt that was checked.
 *
 * @param providerMessageId the event's message. A pixel or link names none.
 */
export async function recordProof(
  table: Table,
  send: Send,
  now: number,
  providerMessageId?: string,
): Promise<void> {
  let existing: Send | undefined = send;
  while (existing?.id === send.id && isNewProof(existing, providerMessageId)) {
    const own = ownOutcomeChange({ ...existing, provenAt: now });
    const proof = updateIf(
      keyOf(send),
      { set: { provenAt: now, updatedAt: now, ...own.set }, remove: own.remove },
      [
        sameSend(send),
        sameAttempt(existing),
        noMessage,
        notProven,
        ...isAsRead(existing, ['firstClickAt']),
      ],
    );
    const update = new UpdateCommand({ TableName: table.name, ...proof });
    const outcome = await writeIf(() => table.client.send(update));
    if (outcome.written) return;
    existing = outcome.existing && toSend(outcome.existing);
  }
}

/** SES may never answer for an email, and then no write follows. So the list of failed ones has it from its lease's end. */
export async function listAsDoubtful(table: Table, send: Send): Promise<void> {
  const update = updateIf(
    keyOf(send),
    { set: ownOutcomeEntry(send, 'failed', endOfAttempt(send)) },
    [sameSend(send), sameAttempt(send), is('status', 'sending'), noMessage, notProven],
  );
  await writeIf(() => table.client.send(new UpdateCommand({ TableName: table.name, ...update })));
}

const isNewProof = (send: Send, providerMessageId: string | undefined): boolean =>
  send.providerMessageId === undefined &&
  send.provenAt === undefined &&
  (providerMessageId === undefined || classifyAcceptance(send, providerMessageId) === 'first');
