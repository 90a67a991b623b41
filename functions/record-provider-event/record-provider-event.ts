import type { SuppressionReason } from '#shared/contacts/contact';
import type { ProviderEvent } from '#shared/events/event-store';
import type { ProviderFact } from '#shared/events/ses-event';
import type { Acceptance, Send } from '#shared/sending/send';
import { webhookEventOf } from '#shared/sending/send-webhook-event';
import type { CommitAcceptance, Settlement } from '#shared/sending/settlement-store';
import type { SubscribedSend } from '#shared/sending/timeline-store';
import { type FeedbackId, type OrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhooks/delivery';
import { deliveriesOf } from '#shared/webhooks/outbox';

export type RecordDependencies = {
  readonly now: () => number;
  readonly findFeedbackId: (providerMessageId: string) => Promise<FeedbackId | undefined>;
  readonly getSend: (feedbackId: FeedbackId) => Promise<SubscribedSend | undefined>;
  readonly suppress: (
    organizationId: OrganizationId,
    identity: string,
    reason: SuppressionReason,
    now: number,
  ) => Promise<void>;
  readonly putNewEvent: (
    feedbackId: FeedbackId,
    event: ProviderEvent,
    deliveries: readonly Delivery[],
  ) => Promise<boolean>;
  readonly commitAcceptance: CommitAcceptance;
  /** Stores the contact that the request itself did not live to store. */
  readonly ensureRecipient: (send: Send, now: number) => Promise<void>;
  readonly recordLateAcceptance: CommitAcceptance;
  readonly commitFailure: (send: Send, reason: string, now: number) => Promise<Settlement>;
};

export type RecordOutcome =
  | {
      readonly kind: 'recorded';
      readonly send: Send;
      /** Rows this report has written, for the queue to be woken. */
      readonly deliveries: readonly Delivery[];
    }
  | { readonly kind: 'ignored'; readonly reason: string };

/**
 * Records what the provider reports. Repeating it changes nothing, and any order of events gives the
 * same timeline; a failure is thrown, so that the event is delivered again.
 *
 * Order of effects: suppressions first, and for every report, also one that is recorded already: one
 * message has several recipients, and its second bounce is no new event but a second bad address. Then
 * the event with its webhook deliveries, all or nothing.
 */
export async function recordProviderEvent(
  fact: ProviderFact,
  dependencies: RecordDependencies,
): Promise<RecordOutcome> {
  if (fact.kind === 'ignored') return { kind: 'ignored', reason: fact.eventType };

  const subscribed = await findSend(fact, dependencies);
  if (subscribed === undefined) return { kind: 'ignored', reason: 'not one of our sends' };

  const deliveries = await recordOccurrence(subscribed, fact, dependencies);
  return { kind: 'recorded', send: subscribed.send, deliveries };
}

type Occurred = Exclude<ProviderFact, { kind: 'ignored' }>;
type Happened = Extract<ProviderFact, { kind: 'happened' }>;

async function findSend(
  fact: Occurred,
  { findFeedbackId, getSend }: RecordDependencies,
): Promise<SubscribedSend | undefined> {
  const named = fact.feedbackId && (await getSend(fact.feedbackId));
  if (named !== undefined) return named;
  const feedbackId = await findFeedbackId(fact.providerMessageId);
  return feedbackId && getSend(feedbackId);
}

/** @returns the deliveries that were written. */
async function recordOccurrence(
  subscribed: SubscribedSend,
  fact: Occurred,
  dependencies: RecordDependencies,
): Promise<readonly Delivery[]> {
  switch (fact.kind) {
    case 'accepted':
      return recordAcceptance(subscribed, fact, dependencies);
    case 'refused':
      await recordRefusal(subscribed.send, fact.reason, dependencies);
      return [];
    case 'happened':
      await suppressRecipients(subscribed.send, fact, dependencies);
      return recordHappening(subscribed, fact, dependencies);
  }
}

/** Repairs a send whose request died, or whose answer from SES was lost. */
async function recordAcceptance(
  { send, subscriptions }: SubscribedSend,
  acceptance: Acceptance,
  { commitAcceptance, recordLateAcceptance, ensureRecipient, now }: RecordDependencies,
): Promise<readonly Delivery[]> {
  const { at, providerMessageId } = acceptance;
  const event = webhookEventOf(send, { type: 'sent', ts: at, providerMessageId });
  const deliveries = deliveriesOf(event, send.feedbackId, subscriptions, now());
  if (send.status === 'sending') {
    const settlement = await commitAcceptance(send, acceptance, deliveries);
    if (settlement === 'settled') {
      await ensureRecipient(send, now());
      return deliveries;
    }
  }
  const settlement = await recordLateAcceptance(send, acceptance, deliveries);
  return settlement === 'settled' ? deliveries : [];
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
  if (current !== undefined) await commitFailure(current.send, reason, now());
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

async function recordHappening(
  { send, subscriptions }: SubscribedSend,
  { type, at, providerMessageId, reason }: Happened,
  { putNewEvent, now }: RecordDependencies,
): Promise<readonly Delivery[]> {
  const event: ProviderEvent = {
    type,
    ts: at,
    providerMessageId,
    ...(reason !== undefined && { reason }),
  };
  const webhookEvent = webhookEventOf(send, event);
  const deliveries = deliveriesOf(webhookEvent, send.feedbackId, subscriptions, now());
  const isNew = await putNewEvent(send.feedbackId, event, deliveries);
  return isNew ? deliveries : [];
}
