import type { SuppressionReason } from '#shared/contacts/contact';
import type { ProviderEvent } from '#shared/events/event-store';
import type { ProviderFact } from '#shared/events/ses-event';
import type { Send } from '#shared/sending/send';
import type { Acceptance, Settlement } from '#shared/sending/settlement-store';
import { type FeedbackId, type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';

export type RecordDependencies = {
  readonly now: () => number;
  readonly findFeedbackId: (providerMessageId: string) => Promise<FeedbackId | undefined>;
  readonly getSend: (feedbackId: FeedbackId) => Promise<Send | undefined>;
  readonly suppress: (
    organizationId: OrganizationId,
    identity: string,
    reason: SuppressionReason,
    now: number,
  ) => Promise<void>;
  readonly putNewEvent: (feedbackId: FeedbackId, event: ProviderEvent) => Promise<boolean>;
  readonly commitAcceptance: (send: Send, acceptance: Acceptance) => Promise<Settlement>;
  readonly recordLateAcceptance: (send: Send, acceptance: Acceptance) => Promise<void>;
  readonly commitFailure: (send: Send, reason: string, now: number) => Promise<Settlement>;
};

export type RecordOutcome =
  | { readonly kind: 'recorded'; readonly send: Send }
  | { readonly kind: 'ignored'; readonly reason: string };

/**
 * Records what the provider reports. Repeating it changes nothing, and any order of events gives the
 * same timeline; a failure is thrown, so that the event is delivered again.
 *
 * Order of effects: suppressions first, and for every report, also one that is recorded already: one
 * message has several recipients, and its second bounce is no new event but a second bad address.
 */
export async function recordProviderEvent(
  fact: ProviderFact,
  dependencies: RecordDependencies,
): Promise<RecordOutcome> {
  if (fact.kind === 'ignored') return { kind: 'ignored', reason: fact.eventType };

  const send = await findSend(fact, dependencies);
  if (send === undefined) return { kind: 'ignored', reason: 'not one of our sends' };

  await recordOccurrence(send, fact, dependencies);
  return { kind: 'recorded', send };
}

type Occurred = Exclude<ProviderFact, { kind: 'ignored' }>;
type Happened = Extract<ProviderFact, { kind: 'happened' }>;

async function findSend(
  fact: Occurred,
  { findFeedbackId, getSend }: RecordDependencies,
): Promise<Send | undefined> {
  const feedbackId = fact.feedbackId ?? (await findFeedbackId(fact.providerMessageId));
  return feedbackId && getSend(feedbackId);
}

async function recordOccurrence(
  send: Send,
  fact: Occurred,
  dependencies: RecordDependencies,
): Promise<void> {
  switch (fact.kind) {
    case 'accepted':
      return recordAcceptance(send, fact, dependencies);
    case 'refused':
      return recordRefusal(send, fact.reason, dependencies);
    case 'happened':
      await suppressRecipients(send, fact, dependencies);
      await dependencies.putNewEvent(send.feedbackId, toEvent(fact));
  }
}

/** Repairs a send whose request died, or whose answer from SES was lost. */
async function recordAcceptance(
  send: Send,
  acceptance: Acceptance,
  { commitAcceptance, recordLateAcceptance }: RecordDependencies,
): Promise<void> {
  if (send.status === 'sending') {
    const settlement = await commitAcceptance(send, acceptance);
    if (settlement === 'settled') return;
  }
  await recordLateAcceptance(send, acceptance);
}

async function recordRefusal(
  send: Send,
  reason: string,
  { commitFailure, getSend, now }: RecordDependencies,
): Promise<void> {
  if (send.status === 'failed') return;
  const settlement = await commitFailure(send, reason, now());
  if (settlement === 'settled') return;
  const current = await getSend(send.feedbackId);
  if (current !== undefined) await commitFailure(current, reason, now());
}

async function suppressRecipients(
  send: Send,
  { suppressed, suppressionReason }: Happened,
  { suppress, now }: RecordDependencies,
): Promise<void> {
  const organizationId = organizationIdOf(send.id);
  await Promise.all(
    suppressed.map((identity) => suppress(organizationId, identity, suppressionReason, now())),
  );
}

const toEvent = ({ type, at, providerMessageId, reason }: Happened): ProviderEvent => ({
  type,
  ts: at,
  providerMessageId,
  ...(reason !== undefined && { reason }),
});
