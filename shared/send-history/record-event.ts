import { ensureContacts, findMissingContacts } from '#shared/contacts/contact-store';
import { recipientIdentityOf } from '#shared/contacts/email-address';
import { eraseFromRows } from '#shared/contacts/row-erasure-store';
import type { Service } from '#shared/endpoints/endpoint';
import type { ProviderEvent } from '#shared/events/event-store';
import type { Happened, ProviderFact } from '#shared/events/ses-event';
import { type Organization, requireSameDigest } from '#shared/organizations/organization';
import { erasedFrom, hasErased, identitiesIn } from '#shared/sending/erased-recipients';
import {
  type Acceptance,
  addressesIn,
  classifyAcceptance,
  isTestSend,
  ownerOf,
  type Send,
} from '#shared/sending/send';
import { toSend } from '#shared/sending/send-items';
import { emailFailedDeliveries, emailSentDeliveries } from '#shared/sending/send-outbox';
import { commitAcceptance, recordRejection } from '#shared/sending/send-store';
import { webhookEventOf } from '#shared/sending/send-webhook-event';
import type { NewSuppression } from '#shared/suppressions/suppression';
import { deliverySettingsOf } from '#shared/suppressions/suppression-outbox';
import { suppressAddress, suppressKnownAddress } from '#shared/suppressions/suppression-store';
import { deliverySortKeyPrefix } from '#shared/table/delivery-keys';
import { isExpired, toSeconds } from '#shared/table/expiry';
import { getItem } from '#shared/table/reads';
import { sendKey } from '#shared/table/send-keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import { type FeedbackId, organizationIdOf, ownPartIn, slotIdIn } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { createDeliveries } from '#shared/webhook-deliveries/delivery-store';
import { deliveriesOf } from '#shared/webhook-deliveries/outbox';
import { explainUnnamed } from './explain-send.ts';
import { findSendByMessageFrom } from './named-sends-store.ts';
import { rowsBeside } from './send-erasure-store.ts';
import { storeSendEvent } from './send-event-store.ts';
import { identityOf, shownRecipients } from './shown-recipients.ts';
import { getSend, getSendOfOrganization, type SendOfOrganization } from './timeline-store.ts';

export type EventRecording = Pick<Service, 'table' | 'now'> & {
  readonly sendRetentionDays: number;
};

type SubscribedSend = {
  readonly send: Send;
  readonly subscriptions: Organization['webhooks'];
};

export type RecordOutcome =
  | {
      readonly kind: 'recorded';
      readonly send: Send;
      /** Those this report has written; wake the queue with them. */
      readonly deliveries: readonly Delivery[];
    }
  | {
      readonly kind: 'ignored';
      readonly reason: string;
      readonly deliveries: readonly Delivery[];
    };

/**
 * Records an SES event (`events/ses-event.ts`) about a send. Read next: `suppressions/suppression-store.ts` for who
 * gets no more email, `sending/send-store.ts` for the acceptance, `webhook-deliveries/delivery-store.ts` for the
 * deliveries (one for each webhook that reports it), `send-event-store.ts` for the event itself. The caller wakes the
 * webhook queue, which invokes `functions/deliver-webhooks`.
 *
 * Safe to repeat, and any order of events gives the same timeline. Failures are thrown, so that the event is delivered
 * again, also if contacts are stored under another key than the deployment has.
 *
 * Order of effects: suppressions with their own deliveries, the acceptance that every event proves, the event's
 * deliveries, and last the event itself: a recorded event means that all its effects are stored. A message may have
 * several recipients: a second bounce isn't a new event but a second bad address, which is suppressed, reported and
 * merged into the event.
 */
export async function recordEvent(
  fact: ProviderFact,
  recording: EventRecording,
): Promise<RecordOutcome> {
  if (fact.kind === 'ignored') return { kind: 'ignored', reason: fact.eventType, deliveries: [] };

  const settled = fact.kind === 'accepted' ? await findSettled(fact, recording) : undefined;
  if (settled !== undefined) return { kind: 'recorded', send: settled, deliveries: [] };

  const { send: found, organization } = await findSend(fact, recording);
  if (organization !== undefined) requireSameDigest(organization);
  if (found === undefined || organization === undefined) {
    const deliveries = await suppressKnownRecipients(organization, fact, recording);
    await eraseWhoIsErased([], fact, recording);
    return { kind: 'ignored', reason: 'not one of our sends', deliveries };
  }
  const subscribed = { send: found, subscriptions: organization.webhooks };
  const first =
    fact.kind === 'happened' ? await suppressRecipients(subscribed, fact, recording) : [];
  const { send, deliveries } = await recordAcceptance(subscribed, fact, recording);
  const last = await recordFact({ ...subscribed, send }, fact, recording);
  return { kind: 'recorded', send, deliveries: [...first, ...deliveries, ...last] };
}

/** @returns the new deliveries. */
async function recordFact(
  subscribed: SubscribedSend,
  fact: RecordedFact,
  recording: EventRecording,
): Promise<readonly Delivery[]> {
  switch (fact.kind) {
    case 'accepted':
      return [];
    case 'rejected':
      return recordRejectEvent(subscribed, fact, recording);
    case 'happened':
      return recordTimelineEvent(subscribed, fact, recording);
  }
}

type RecordedFact = Exclude<ProviderFact, { kind: 'ignored' }>;

/**
 * The usual case of a Send event: its request has committed the message. An eventually consistent read is enough, since
 * a send never forgets a message. Only contacts may be missing; then go on, since creating them needs the organization.
 *
 * @returns the send; or `undefined` if there is more to do.
 */
async function findSettled(
  fact: RecordedFact,
  recording: EventRecording,
): Promise<Send | undefined> {
  const { feedbackId, providerMessageId } = fact;
  const { table, now } = recording;
  const send = feedbackId && (await getSend(table, feedbackId, now(), { isConsistent: false }));
  if (send === undefined || classifyAcceptance(send, providerMessageId) !== 'known')
    return undefined;
  return (await lacksContacts(send, fact, recording)) ? undefined : send;
}

/** The process that settled the send may have died before it stored contacts. */
const mayLackContacts = (send: Send): boolean => send.hasNewRecipients === true;

async function lacksContacts(
  send: Send,
  fact: RecordedFact,
  { table }: EventRecording,
): Promise<boolean> {
  if (!mayLackContacts(send)) return false;
  const mailed = mailedIdentitiesOf(send, fact);
  return (await findMissingContacts(table, organizationIdOf(send.id), mailed)).length > 0;
}

/**
 * Makes up for a request that died before it could; makes none for erased people. Test emails make no contacts.
 */
async function storeContacts(
  send: Send,
  fact: RecordedFact,
  { table }: EventRecording,
): Promise<void> {
  if (isTestSend(send)) return;
  await ensureContacts(
    table,
    organizationIdOf(send.id),
    mailedIdentitiesOf(send, fact),
    Math.min(send.claimedAt, fact.acceptedAt),
  );
}

/**
 * May be a moment old, as when a process has slept since the read: every write requires what it relies on, and reads
 * the send again if that has changed.
 */
async function findSend(
  { feedbackId, providerMessageId, domain }: RecordedFact,
  { table, now }: EventRecording,
): Promise<Partial<SendOfOrganization>> {
  const named =
    feedbackId && (await getSendOfOrganization(table, feedbackId, now(), { isConsistent: false }));
  if (named?.send !== undefined) return named;
  // SES repeats our tags and headers in every event, so only events from elsewhere, such as a test's, lack them.
  const send = await findSendByMessageFrom(table, domain, providerMessageId, now());
  if (send === undefined) return named ?? {};
  return getSendOfOrganization(table, send.feedbackId, now());
}

/**
 * For a send that has expired: its address is still bad, since a complaint may take months.
 *
 * @returns the new deliveries.
 */
async function suppressKnownRecipients(
  organization: Organization | undefined,
  fact: RecordedFact,
  { table, sendRetentionDays, now }: EventRecording,
): Promise<readonly Delivery[]> {
  if (fact.kind !== 'happened' || fact.feedbackId === undefined) return [];
  const organizationId = organizationIdOf(fact.feedbackId);
  const at = now();
  const deliverySettings = deliverySettingsOf(
    organization ?? { webhooks: {} },
    sendRetentionDays,
    at,
  );
  const suppressed = await Promise.all(
    badAddressesIn(fact).map((bad) =>
      suppressKnownAddress(table, organizationId, bad, at, { deliverySettings }),
    ),
  );
  return suppressed.flatMap(({ deliveries }) => deliveries);
}

/** @returns the new deliveries. */
async function suppressRecipients(
  { send, subscriptions }: SubscribedSend,
  fact: Happened,
  { table, now }: EventRecording,
): Promise<readonly Delivery[]> {
  const organizationId = organizationIdOf(send.id);
  const deliverySettings = { subscriptions, expiresAt: send.expiresAt };
  const at = now();
  const suppressed = await Promise.all(
    badAddressesIn(fact).map((bad) =>
      suppressAddress(table, organizationId, bad, at, { deliverySettings }),
    ),
  );
  return suppressed.flatMap(({ deliveries }) => deliveries);
}

/** With what the recipient's server said, or else with SES's reason. */
function badAddressesIn({
  suppression,
  at,
  reason: sesReason,
  recipients,
  providerMessageId,
}: Happened): NewSuppression[] {
  if (suppression === undefined) return [];
  const { addresses, reason, isPossible } = suppression;
  return addresses.map((identity) => {
    const recipient = recipients.find(({ email }) => identityOf(email) === identity);
    const diagnostic = recipient?.diagnostic ?? sesReason;
    const address = recipient?.email;
    const possible = isPossible ? true : undefined;
    return { identity, reason, details: { at, diagnostic, address, providerMessageId, possible } };
  });
}

const acceptanceOf = ({ providerMessageId, acceptedAt }: RecordedFact): Acceptance => ({
  providerMessageId,
  at: acceptedAt,
});

/** For a send whose request died, or whose answer from SES was lost. Writes nothing for a known message. */
async function recordAcceptance(
  { send, subscriptions }: SubscribedSend,
  fact: RecordedFact,
  recording: EventRecording,
): Promise<{ readonly send: Send; readonly deliveries: readonly Delivery[] }> {
  const { table, now } = recording;
  const acceptance = acceptanceOf(fact);
  const deliveries = emailSentDeliveries(send, acceptance, subscriptions, now());
  const outcome = await commitAcceptance(table, send, acceptance, deliveries);
  // If storing contacts fails, the Send event comes again, until they exist.
  const isAwaited = fact.kind === 'accepted' && mayLackContacts(outcome.send);
  if (outcome.kind === 'settled' || isAwaited) await storeContacts(outcome.send, fact, recording);
  const isNew = outcome.kind === 'settled' || outcome.kind === 'further';
  return { send: outcome.send, deliveries: isNew ? deliveries : [] };
}

/**
 * The identities the send names, and those of an earlier attempt, which only SES names. After an erasure, SES's no
 * longer count.
 */
function mailedIdentitiesOf(send: Send, { mailedTo }: RecordedFact): string[] {
  const leftOut = new Set(send.suppressedRecipients.map(({ email }) => email));
  const own = addressesIn(send).filter((address) => !leftOut.has(address));
  const identities = own.flatMap((address) => recipientIdentityOf(address) ?? []);
  return [...new Set([...identities, ...(hasErased(send) ? [] : mailedTo)])];
}

/** @returns the new deliveries. */
async function recordRejectEvent(
  { send, subscriptions }: SubscribedSend,
  fact: Extract<ProviderFact, { kind: 'rejected' }>,
  { table, now }: EventRecording,
): Promise<readonly Delivery[]> {
  const { at, reason, providerMessageId } = fact;
  const failure = { at, reason, providerMessageId };
  const deliveries = emailFailedDeliveries(send, failure, subscriptions, now());
  const isNew = await recordRejection(table, send, acceptanceOf(fact), reason, deliveries);
  return isNew ? deliveries : [];
}

/** @returns the new deliveries. */
async function recordTimelineEvent(
  { send, subscriptions }: SubscribedSend,
  fact: Happened,
  recording: EventRecording,
): Promise<readonly Delivery[]> {
  const { type, at, providerMessageId, reason, recipients: reported } = fact;
  const { table, now } = recording;
  const { feedbackId } = send;
  const recipients = shownRecipients(send, reported);
  const event: ProviderEvent = {
    type,
    ts: at,
    providerMessageId,
    ...(reason !== undefined && { reason }),
    ...(recipients.length > 0 && { recipients }),
  };
  const webhookEvent = webhookEventOf(send, event, explainUnnamed(event));
  const key = reported.length > 0 ? `${webhookEvent.key} ${newsKey(fact)}` : webhookEvent.key;
  const deliveries = deliveriesOf({ ...webhookEvent, key }, ownerOf(send), subscriptions, now());
  const stored = await createDeliveries(table, deliveries);
  await storeSendEvent(table, send, event);
  if (deliveries.length > 0 || recipients.length > 0) {
    await eraseWhoIsErased(identitiesIn(send), { ...fact, feedbackId }, recording);
  }
  return stored;
}

/** Covers people erased since this send was read, here or by a process that died before it got this far. */
async function eraseWhoIsErased(
  named: readonly string[],
  fact: RecordedFact,
  { table, now }: EventRecording,
): Promise<void> {
  if (fact.kind !== 'happened' || fact.feedbackId === undefined) return;
  const { feedbackId, providerMessageId, mailedTo, recipients } = fact;
  const reported = recipients.map(({ email }) => identityOf(email));
  const identities = [...new Set([...named, ...mailedTo, ...reported])];
  await eraseFromReport(table, { feedbackId, providerMessageId, identities }, now);
}

/**
 * Each recipient's bounce is news, and so is a bounce of another kind. Repeated reports are the same news, even after
 * an erasure. A delay is news once: SES may report it again at every try, each time for another reason.
 */
const newsKey = ({ type, reason, recipients }: Happened): string =>
  [
    ...(type === 'delayed' ? [] : [reason]),
    ...recipients.map(({ email }) => email.toLowerCase()).toSorted(),
  ].join(' ');

type StoredReport = {
  readonly feedbackId: FeedbackId;
  readonly providerMessageId: string;
  readonly identities: readonly string[];
};

/**
 * Removes what a report stored about people who were erased from its send since it was read. Call it after the rows
 * are stored: an erasure hides the address in the send first, then looks for rows. If it hides the address before
 * this call reads the send, this call erases the rows; if later, the erasure finds them.
 *
 * If the process dies before this call, the rows stay until the report comes again.
 *
 * @param now reads the clock: a frozen process thaws long after it was called.
 */
export async function eraseFromReport(
  table: Table,
  { feedbackId, providerMessageId, identities }: StoredReport,
  now: () => number,
): Promise<void> {
  const slotId = slotIdIn(feedbackId);
  const item = await getItem(table, sendKey(slotId));
  const send = item && toSend(item);
  // If the send has expired, or another has taken the slot, everyone counts as erased: the report's rows expire with
  // their own send.
  const isKept = item !== undefined && send?.feedbackId === feedbackId && !isExpired(item, now());
  const erased = isKept ? erasedFrom(send, identities) : identities;
  if (erased.length === 0) return;

  const ownDelivery = `${deliverySortKeyPrefix}${ownPartIn(feedbackId)}`;
  const isOwn = ({ sk }: StoredItem) =>
    typeof sk === 'string' && (sk.startsWith(ownDelivery) || sk.endsWith(`#${providerMessageId}`));
  const erasure = { identities: erased, expiresAt: isKept ? undefined : toSeconds(now()) };
  let own: readonly StoredItem[];
  do {
    const rows = await rowsBeside(table, slotId);
    const readAt = now();
    // An expired row is about to be deleted, like its send, so it needs no erasing.
    own = rows.filter((row) => isOwn(row) && !isExpired(row, readAt));
  } while (await eraseFromRows(table, own, erasure));
}
