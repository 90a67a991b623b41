import { ownOutcomeIndexKey } from '#shared/table/send-keys';
import { slotIdIn } from '#shared/tokens/resource-id';
import type { OwnOutcome } from './own-outcomes.ts';
import { failureOf, isTestSend, type Send } from './send.ts';

/** What an entry depends on besides the status: a write of it requires these as read. */
export const engagementNames = ['openedAt', 'firstOpenAt', 'firstClickAt'] as const;

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
  | (typeof engagementNames)[number]
>;

/** The list that the send's item is in, and since when. Only what ended unsent, was opened or clicked pays for one. */
export function ownOutcomeOf(
  send: Told,
): { readonly outcome: OwnOutcome; readonly at: number } | undefined {
  const { status, provenAt, updatedAt, openedAt, firstOpenAt, firstClickAt } = send;
  if (provenAt === undefined) {
    if (status === 'failed') return { outcome: status, at: endOfAttempt(send) };
    if (status === 'suppressed' || status === 'canceled') return { outcome: status, at: updatedAt };
  }
  if (firstClickAt !== undefined) return { outcome: 'clicked', at: firstClickAt };
  const opens = [openedAt, firstOpenAt].filter((at) => at !== undefined);
  return opens.length === 0 ? undefined : { outcome: 'opened', at: Math.min(...opens) };
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
