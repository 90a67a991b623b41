import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Delivery } from '#shared/deliveries/delivery';
import { putDeliveries } from '#shared/deliveries/delivery-store';
import { writeIf } from '#shared/table/condition-failure';
import { retryConflicts } from '#shared/table/retry-conflicts';
import { providerMessageIndexKey } from '#shared/table/send-keys';
import type { Table } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/transact-write';
import { ownPartIn } from '#shared/tokens/resource-id';
import { erasedBetween, withoutPersons } from './erased-recipients.ts';
import { recordFailure, recordRejection } from './failure-store.ts';
import { type Acceptance, judgeAcceptance, type Send } from './send.ts';
import {
  hasNoMessage,
  isNamedAsSeen,
  isSameAttempt,
  isSameSend,
  namesOf,
} from './send-conditions.ts';
import { keyOf, putFurtherMessage, toSend, touchSent } from './send-items.ts';

const hasRejectedMessage = 'providerMessageId = :rejected';

/**
 * The outcome of the report that SES took a message, and the send as it stands afterwards.
 *
 * - `settled`: the report made the send `sent`.
 * - `further`: the send had another message already.
 * - `known`: it was recorded before.
 * - `gone`: the send expired, or another one has its slot.
 */
export type AcceptanceOutcome = {
  readonly kind: 'settled' | 'further' | 'known' | 'gone';
  readonly send: Send;
};

/**
 * Commits an accepted email: one conditional Update of the send, or a transaction with the webhook outbox
 * rows of `email.sent`. The message and its `sent` event are later read from the send. The request calls this
 * function, and so does every event of the provider. Whichever comes first settles the send. A further message
 * becomes an item of its own.
 *
 * An acceptance is true for every attempt. What it means to the send is judged by the send as it was seen, so
 * the write asks for exactly that: meanwhile one event may have settled the send, and another rejected it.
 *
 * The outbox rows name the recipient. So they are written only while the send names the recipient as it did: a
 * process that slept through an erasure does not bring the address back.
 *
 * @param send the send as it was read or claimed.
 * @param deliveries the outbox rows of the acceptance, made from the send as it was seen.
 */
export async function commitAcceptance(
  table: Table,
  send: Send,
  acceptance: Acceptance,
  deliveries: readonly Delivery[],
): Promise<AcceptanceOutcome> {
  const { providerMessageId, at } = acceptance;
  let standing = send;
  let rows = deliveries;
  for (;;) {
    const verdict = judgeAcceptance(standing, providerMessageId);
    if (verdict === 'known') return { kind: 'known', send: standing };
    const write = verdict === 'further' ? putFurther : settle;
    const outcome = await write(table, standing, acceptance, rows);
    if (outcome === 'settled') {
      const settled = { ...standing, status: 'sent', providerMessageId, sentAt: at } as const;
      return { kind: 'settled', send: settled };
    }
    if (outcome === 'further' || outcome === 'known') return { kind: outcome, send: standing };
    if (outcome?.id !== send.id) return { kind: 'gone', send };
    const erased = erasedBetween(standing, outcome);
    rows = rows.map((row) => withoutPersons(row, erased));
    standing = outcome;
  }
}

/** @returns `settled`; or the send as it stands, if it is not as it was seen. */
async function settle(
  table: Table,
  send: Send,
  { providerMessageId, at }: Acceptance,
  deliveries: readonly Delivery[],
): Promise<'settled' | Send | undefined> {
  const { gsi1pk, gsi1sk } = providerMessageIndexKey(providerMessageId);
  // The send may have a message that SES rejected. Then another one may take its place.
  const { providerMessageId: rejected } = send;
  const hasSameMessage = rejected === undefined ? hasNoMessage : hasRejectedMessage;
  const update = {
    TableName: table.name,
    Key: keyOf(send),
    UpdateExpression:
      'SET #status = :sent, providerMessageId = :providerMessageId, sentAt = :at, updatedAt = :at, gsi1pk = :gsi1pk, gsi1sk = :gsi1sk REMOVE provenAt',
    ConditionExpression: [
      isSameSend,
      isSameAttempt,
      hasSameMessage,
      ...(deliveries.length > 0 ? [isNamedAsSeen] : []),
    ].join(' AND '),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: {
      ':nonce': ownPartIn(send.id),
      ':attempt': send.attempt,
      ...(rejected !== undefined && { ':rejected': rejected }),
      ...(deliveries.length > 0 && namesOf(send)),
      ':sent': 'sent',
      ':providerMessageId': providerMessageId,
      ':at': at,
      ':gsi1pk': gsi1pk,
      ':gsi1sk': gsi1sk,
    },
  };
  if (deliveries.length === 0) {
    const outcome = await writeIf(() =>
      retryConflicts(() => table.client.send(new UpdateCommand(update))),
    );
    if (outcome.written) return 'settled';
    return outcome.standing && toSend(outcome.standing);
  }
  const outcome = await transactWrite(table, [
    { Update: update },
    ...putDeliveries(table, deliveries),
  ]);
  if (outcome.committed) return 'settled';
  const [own] = outcome.conditions;
  // The outbox rows exist: this was recorded as a further message, before the first one was rejected.
  if (own?.failed === false) return settle(table, send, { providerMessageId, at }, []);
  return own?.item && toSend(own.item);
}

/**
 * A message is a further one as long as the send has its own. If that is rejected meanwhile, this one
 * settles the send.
 *
 * @returns the send as it stands, when it is not as it was seen.
 */
async function putFurther(
  table: Table,
  send: Send,
  acceptance: Acceptance,
  deliveries: readonly Delivery[],
): Promise<'further' | 'known' | Send | undefined> {
  const outcome = await transactWrite(table, [
    touchSent(table, send, acceptance.at, deliveries.length > 0),
    putFurtherMessage(table, send, acceptance),
    ...putDeliveries(table, deliveries),
  ]);
  if (outcome.committed) return 'further';
  const [own] = outcome.conditions;
  return own?.failed === true ? own.item && toSend(own.item) : 'known';
}

/**
 * Marks a send whose message id is not known as out: somebody fetched a pixel or link of it, or an event about it
 * could not be recorded. Both prove that SES took the email, so no further attempt is made. Whatever learns the
 * message id takes the mark away.
 *
 * An event may come again after its message was rejected, and a later attempt is under way. It proves nothing of
 * that one. So the send is judged as it was seen, and the write asks for the same attempt.
 *
 * @param providerMessageId the message of the event. A pixel or link names none.
 */
export async function recordProof(
  table: Table,
  send: Send,
  now: number,
  providerMessageId?: string,
): Promise<void> {
  let standing: Send | undefined = send;
  while (standing?.id === send.id && isNewProof(standing, providerMessageId)) {
    const update = new UpdateCommand({
      TableName: table.name,
      Key: keyOf(send),
      UpdateExpression: 'SET provenAt = if_not_exists(provenAt, :now), updatedAt = :now',
      ConditionExpression: [isSameSend, isSameAttempt, hasNoMessage].join(' AND '),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      ExpressionAttributeValues: {
        ':nonce': ownPartIn(send.id),
        ':attempt': standing.attempt,
        ':now': now,
      },
    });
    const outcome = await writeIf(() => retryConflicts(() => table.client.send(update)));
    if (outcome.written) return;
    standing = outcome.standing && toSend(outcome.standing);
  }
}

const isNewProof = (send: Send, providerMessageId: string | undefined): boolean =>
  send.providerMessageId === undefined &&
  send.provenAt === undefined &&
  (providerMessageId === undefined || judgeAcceptance(send, providerMessageId) === 'first');

export const openSettlementStore = (table: Table) => ({
  commitAcceptance: (send: Send, acceptance: Acceptance, deliveries: readonly Delivery[]) =>
    commitAcceptance(table, send, acceptance, deliveries),
  recordFailure: (send: Send, reason: string, now: number) =>
    recordFailure(table, send, reason, now),
  recordRejection: (send: Send, acceptance: Acceptance, reason: string) =>
    recordRejection(table, send, acceptance, reason),
  recordProof: (send: Send, now: number, providerMessageId?: string) =>
    recordProof(table, send, now, providerMessageId),
});
export type SettlementStore = ReturnType<typeof openSettlementStore>;
