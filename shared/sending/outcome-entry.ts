import { ownOutcomeIndexKey } from '#shared/table/send-keys';
import { slotIdIn } from '#shared/tokens/resource-id';
import type { OwnOutcome } from './own-outcomes.ts';
import { failureOf, isTestSend, type Send } from './send.ts';

type Told = Pick<
  Send,
  | 'id'
  | 'test'
  | 'status'
  | 'attempt'
  | 'attempts'
  | 'leaseExpiresAt'
  | 'provenAt'
  | 'updatedAt'
  | 'firstClickAt'
>;

/** The list that the send's item is in, and since when. Only what ended unsent or was clicked pays for one. */
export function ownOutcomeOf(
  send: Told,
): { readonly outcome: OwnOutcome; readonly at: number } | undefined {
  const { status, provenAt, updatedAt, firstClickAt } = send;
  if (provenAt === undefined) {
    if (status === 'failed') return { outcome: status, at: endOfAttempt(send) };
    if (status === 'suppressed' || status === 'canceled') return { outcome: status, at: updatedAt };
  }
  return firstClickAt === undefined ? undefined : { outcome: 'clicked', at: firstClickAt };
}

/** When a failed attempt's failure became known, or else its lease ended. */
export const endOfAttempt = (send: Told): number => failureOf(send)?.at ?? send.leaseExpiresAt;

export const ownOutcomeEntry = (send: Pick<Send, 'id' | 'test'>, outcome: OwnOutcome, at: number) =>
  ownOutcomeIndexKey(slotIdIn(send.id), outcome, at, { isTest: isTestSend(send) });

/** For a Put. */
export function ownOutcomeEntryOf(send: Told) {
  const own = ownOutcomeOf(send);
  return own && ownOutcomeEntry(send, own.outcome, own.at);
}

/** For an Update to a send as it will be. */
export function ownOutcomeChange(send: Told) {
  const entry = ownOutcomeEntryOf(send);
  return entry === undefined
    ? { set: {}, remove: ['gsi4pk', 'gsi4sk'] as const }
    : { set: entry, remove: [] };
}
