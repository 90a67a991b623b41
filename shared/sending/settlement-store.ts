import { isDeepStrictEqual } from 'node:util';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { tellsCreation } from '#shared/email/ses-message-id';
import { providerMessageIndexKey, waitingIndexKey } from '#shared/table/send-keys';
import type { Table } from '#shared/table/table-client';
import { transactWrite, writeIf } from '#shared/table/writes';
import { ownPartIn, slotIdIn } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { putDeliveries, writeWithDeliveries } from '#shared/webhook-deliveries/delivery-store';
import { erasedBetween, withoutPersons } from './erased-recipients.ts';
import { type StateAfterFailure, stateAfterFailure, waitingAttributes } from './later/waiting.ts';
import { type Acceptance, type FailedAttempt, judgeAcceptance, type Send } from './send.ts';
import {
  hasNoMessage,
  hasThisMessage,
  isNamedAsSeen,
  isNotProven,
  isSameAttempt,
  isSameSend,
  isSending,
  isSent,
  keyOf,
  namesOf,
  putFurtherMessage,
  toSend,
  touchSent,
} from './send-items.ts';

const hasRejectedMessage = 'providerMessageId = :rejected';

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

export const openSettlementStore = (table: Table) => ({
  ...openAcceptances(table),
  ...openFailures(table),
  ...openProofs(table),
});
function openAcceptances(table: Table) {
  const { settle, putFurther } = openAcceptanceWrites(table);

  /**
   * Commits an accepted email: one conditional Update of the send, or a transaction with the outbox rows of
   * `email.sent`. Both the request and every SES event call this; whichever comes first settles the send. A further
   * message gets its own item.
   *
   * An acceptance holds for every attempt. What it means depends on the send's state, so the write requires the send as
   * read: in between, one event may have settled the send and another rejected it.
   *
   * The outbox rows are written only if the send still names the same recipient: a process that slept through an
   * erasure must not bring the address back. They expire with the send, which a takeover keeps for longer.
   *
   * @param send as read or claimed.
   * @param deliveries the outbox rows of the acceptance, made from that send.
   */
  async function commitAcceptance(
    send: Send,
    acceptance: Acceptance,
    deliveries: readonly Delivery[],
  ): Promise<AcceptanceOutcome> {
    const { providerMessageId, at } = acceptance;
    let existing = send;
    let rows = deliveries;
    for (;;) {
      const verdict = judgeAcceptance(existing, providerMessageId);
      if (verdict === 'known') return { kind: 'known', send: existing };
      const write = verdict === 'further' ? putFurther : settle;
      const outcome = await write(existing, acceptance, rows);
      if (outcome === 'settled') {
        const settled = { ...existing, status: 'sent', providerMessageId, sentAt: at } as const;
        return { kind: 'settled', send: settled };
      }
      if (outcome === 'further' || outcome === 'known') return { kind: outcome, send: existing };
      if (outcome?.id !== send.id) return { kind: 'gone', send };
      const erased = erasedBetween(existing, outcome);
      const { expiresAt } = outcome;
      rows = rows.map((row) => ({ ...withoutPersons(row, erased), expiresAt }));
      existing = outcome;
    }
  }

  return { commitAcceptance };
}

function openAcceptanceWrites(table: Table) {
  /** @returns `settled`; or the current send, if it has changed. */
  async function settle(
    send: Send,
    acceptance: Acceptance,
    deliveries: readonly Delivery[],
  ): Promise<'settled' | Send | undefined> {
    const update = settlement(send, acceptance, deliveries.length > 0);
    // The rows may exist: this was recorded as a further message before the first one was rejected.
    const outcome = await writeWithDeliveries(table, { Update: update }, deliveries);
    if (outcome.written) return 'settled';
    return outcome.existing && toSend(outcome.existing);
  }

  /**
   * If the send's own message is rejected in between, this one settles the send.
   *
   * @returns the current send, if it has changed.
   */
  async function putFurther(
    send: Send,
    acceptance: Acceptance,
    deliveries: readonly Delivery[],
  ): Promise<'further' | 'known' | Send | undefined> {
    const outcome = await transactWrite(table, [
      touchSent(send, acceptance.at, deliveries.length > 0),
      putFurtherMessage(send, acceptance),
      ...putDeliveries(deliveries),
    ]);
    if (outcome.committed) return 'further';
    const [own] = outcome.conditions;
    return own?.failed === true ? own.item && toSend(own.item) : 'known';
  }

  return { settle, putFurther };
}

/** @param asNamed requires the recipient as read: see `commitAcceptance`. */
function settlement(
  send: Send,
  { providerMessageId, at, attachmentBytes }: Acceptance,
  asNamed: boolean,
) {
  const { createdAt } = send;
  const entry = tellsCreation(providerMessageId, createdAt)
    ? undefined
    : providerMessageIndexKey(providerMessageId);
  const fetched = attachmentBytes === undefined ? '' : ', attachmentBytes = :attachmentBytes';
  // SES may have rejected the send's message. Another one may replace it.
  const { providerMessageId: rejected } = send;
  const hasSameMessage = rejected === undefined ? hasNoMessage : hasRejectedMessage;
  const heard =
    rejected === undefined ? '' : ', deliveredOf = if_not_exists(deliveredOf, :rejected)';
  return {
    Key: keyOf(send),
    UpdateExpression: `SET #status = :sent, providerMessageId = :providerMessageId, sentAt = :at${fetched}${heard}${entry ? ', gsi1pk = :gsi1pk, gsi1sk = :gsi1sk' : ''} REMOVE provenAt, updatedAt, ${entry ? 'dueAt, waitingKey' : waitingAttributes}`,
    ConditionExpression: [
      isSameSend,
      isSameAttempt,
      hasSameMessage,
      ...(asNamed ? [isNamedAsSeen(send)] : []),
    ].join(' AND '),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':nonce': ownPartIn(send.id),
      ':attempt': send.attempt,
      ...(rejected !== undefined && { ':rejected': rejected }),
      ...(asNamed && namesOf(send)),
      ...(attachmentBytes !== undefined && { ':attachmentBytes': attachmentBytes }),
      ':sent': 'sent',
      ':providerMessageId': providerMessageId,
      ':at': at,
      ...(entry && { ':gsi1pk': entry.gsi1pk, ':gsi1sk': entry.gsi1sk }),
    },
  };
}

function openFailures(table: Table) {
  /**
   * Only the attempt itself may record that it sent nothing: one that was given up can't speak for its successor.
   *
   * @param reason SES's name for it, such as `MessageRejected`.
   * @param deliveries the outbox rows of the failure, not written if the send is held.
   */
  async function recordFailure(
    send: Send,
    reason: string,
    now: number,
    deliveries: readonly Delivery[] = [],
  ): Promise<FailureOutcome> {
    const after = stateAfterFailure(send, reason, now);
    const write = (told: Told) =>
      writeWithDeliveries(
        table,
        { Update: failureUpdate(send, { at: now, reason }, after, told) },
        told.rows,
      );
    const outcome = await asNamed(send, after.kind === 'failed' ? deliveries : [], write);
    if (outcome.written) return after.kind;
    // The SDK may have repeated our own Update because its answer was lost.
    const existing = outcome.existing && toSend(outcome.existing);
    const isOurs =
      existing?.id === send.id &&
      existing.claimId === send.claimId &&
      existing.status === statusAfter[after.kind] &&
      existing.provenAt === undefined;
    return isOurs ? after.kind : 'lost';
  }

  /**
   * SES accepted a message and then rejected its content: the send has failed, and a retry makes the next attempt. If
   * the rejected message is a further one, nothing changes.
   *
   * @param deliveries the outbox rows of the failure.
   * @returns whether this report made the send fail.
   */
  async function recordRejection(
    send: Send,
    acceptance: Acceptance,
    reason: string,
    deliveries: readonly Delivery[] = [],
  ): Promise<boolean> {
    const write = (told: Told) =>
      writeWithDeliveries(
        table,
        { Update: rejectionUpdate(send, acceptance, reason, told) },
        told.rows,
      );
    const { written } = await asNamed(send, deliveries, write);
    return written;
  }

  return { recordFailure, recordRejection };
}

/** Outbox rows, and the send as it named people when they were made. */
type Told = { readonly rows: readonly Delivery[]; readonly named: Send };

/** Outbox rows as `commitAcceptance` requires them: made again without people erased since the read. */
async function asNamed(
  send: Send,
  deliveries: readonly Delivery[],
  write: (told: Told) => ReturnType<typeof writeIf>,
): ReturnType<typeof writeIf> {
  let named = send;
  let rows = deliveries;
  for (;;) {
    const outcome = await write({ rows, named });
    if (outcome.written || rows.length === 0) return outcome;
    const existing = outcome.existing && toSend(outcome.existing);
    const isSameButNames =
      existing?.id === send.id && !isDeepStrictEqual(namesOf(existing), namesOf(named));
    if (!isSameButNames) return outcome;
    const erased = erasedBetween(named, existing);
    rows = rows.map((row) => withoutPersons(row, erased));
    named = existing;
  }
}

const appendFailure = 'attempts = list_append(if_not_exists(attempts, :none), :failure)';

const statusAfter = { failed: 'failed', postponed: 'queued', held: 'sending' } as const;

/** The index entry by which workers find the send. */
const expressionsAfter = {
  failed: { set: '#status = :status, ', remove: ` REMOVE ${waitingAttributes}` },
  postponed: { set: '#status = :status, dueAt = :dueAt, gsi1sk = :gsi1sk, ', remove: '' },
  held: { set: '', remove: '' },
} as const;

function failureUpdate(
  send: Send,
  { at, reason }: Pick<FailedAttempt, 'at' | 'reason'>,
  after: StateAfterFailure,
  { rows, named }: Told,
) {
  const failure: FailedAttempt = { attempt: send.attempt, at, reason };
  const { set, remove } = expressionsAfter[after.kind];
  const isOfWorkers = send.dueAt !== undefined;
  return {
    Key: keyOf(send),
    UpdateExpression: `SET ${set}${appendFailure}, updatedAt = :at${isOfWorkers ? remove : ''}`,
    ConditionExpression: [
      isSameSend,
      isSameAttempt,
      isSending,
      isNotProven,
      `attribute_not_exists(attempts[${send.attempts.length}])`,
      ...(rows.length > 0 ? [isNamedAsSeen(named)] : []),
      // If workers have given it up, it's in no index and stays out.
      ...(after.kind === 'postponed' ? ['dueAt = :claimedDueAt'] : []),
    ].join(' AND '),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':nonce': ownPartIn(send.id),
      ':attempt': send.attempt,
      ':sending': 'sending',
      ...(after.kind !== 'held' && { ':status': statusAfter[after.kind] }),
      ...(after.kind === 'postponed' && {
        ':dueAt': after.dueAt,
        ':claimedDueAt': send.dueAt,
        ':gsi1sk': waitingIndexKey(slotIdIn(send.id), after.dueAt).gsi1sk,
      }),
      ':failure': [failure],
      ':none': [],
      ':at': at,
      ...(rows.length > 0 && namesOf(named)),
    },
  };
}

function rejectionUpdate(
  send: Send,
  { providerMessageId, at }: Acceptance,
  reason: string,
  { rows, named }: Told,
) {
  const { attempt } = send;
  const failure: FailedAttempt = { attempt, at, reason, providerMessageId, sentAt: at };
  return {
    Key: keyOf(send),
    UpdateExpression: `SET #status = :failed, ${appendFailure}, updatedAt = :at`,
    ConditionExpression: [
      isSameSend,
      isSent,
      hasThisMessage,
      ...(rows.length > 0 ? [isNamedAsSeen(named)] : []),
    ].join(' AND '),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':nonce': ownPartIn(send.id),
      ':sent': 'sent',
      ':failed': 'failed',
      ':providerMessageId': providerMessageId,
      ':failure': [failure],
      ':none': [],
      ':at': at,
      ...(rows.length > 0 && namesOf(named)),
    },
  };
}

function openProofs(table: Table) {
  /**
   * Marks a send as out although its message id is unknown: its pixel or link was fetched, or an event about it
   * couldn't be recorded. Both prove that SES took the email, so no further attempt is made. Whatever learns the
   * message id removes the mark.
   *
   * An event may be repeated after its message was rejected, during a later attempt, and proves nothing about that one.
   * So the write requires the attempt that was judged.
   *
   * @param providerMessageId the event's message. A pixel or link names none.
   */
  async function recordProof(send: Send, now: number, providerMessageId?: string): Promise<void> {
    let existing: Send | undefined = send;
    while (existing?.id === send.id && isNewProof(existing, providerMessageId)) {
      const update = new UpdateCommand({
        TableName: table.name,
        Key: keyOf(send),
        UpdateExpression: 'SET provenAt = :now, updatedAt = :now',
        ConditionExpression: [isSameSend, isSameAttempt, hasNoMessage, isNotProven].join(' AND '),
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        ExpressionAttributeValues: {
          ':nonce': ownPartIn(send.id),
          ':attempt': existing.attempt,
          ':now': now,
        },
      });
      const outcome = await writeIf(() => table.client.send(update));
      if (outcome.written) return;
      existing = outcome.existing && toSend(outcome.existing);
    }
  }

  return { recordProof };
}

const isNewProof = (send: Send, providerMessageId: string | undefined): boolean =>
  send.providerMessageId === undefined &&
  send.provenAt === undefined &&
  (providerMessageId === undefined || judgeAcceptance(send, providerMessageId) === 'first');
