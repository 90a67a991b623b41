import type { EmailAddress } from '#shared/contacts/email-address';
import { untrackedBy } from '#shared/email/compose-email';
import { retentionDaysOf } from '#shared/organizations/organization';
import type { WebhookSubscriptions } from '#shared/organizations/webhook-subscriptions';
import { newSealKey } from '#shared/stored-content/content-store';
import { expiryAfter } from '#shared/table/expiry';
import type { Table } from '#shared/table/table-client';
import {
  feedbackIdOf,
  freedSlotIdOf,
  newNonce,
  ownPartIn,
  type SlotId,
  sendIdOf,
  serviceSlotIdOf,
  slotIdOf,
} from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { newRecipientsOf } from './apply-policy.ts';
import type { AdmittedEmail } from './check-email.ts';
import { earlierEvents } from './event-attributes.ts';
import { fingerprintOf } from './fingerprint.ts';
import { checkUsedKey, pollMs, type Verdict } from './idempotency-key.ts';
import { replyToOf } from './request/send-request.ts';
import {
  type ClaimedSend,
  type EndedSend,
  failureOf,
  isWaiting,
  maxAttemptsKept,
  mayEarlierBeProven,
  type Send,
  type SendEndpoint,
  type SendUnderWay,
} from './send.ts';
import { optionsOf } from './send-options.ts';
import { deliveriesOfClaim } from './send-outbox.ts';
import { keepOrigin, putFirstAttempt, putNextAttempt } from './send-store.ts';

// A claim takes the slot of a send, for its first attempt or the next one. Times are epoch milliseconds.

/** The first attempt of a send. If the slot is taken, a retry goes on with the send that's there. */
export function newSend(
  endpoint: SendEndpoint,
  email: AdmittedEmail,
  now: number,
  settings: { readonly leaseMs: number; readonly sendRetentionDays: number },
): ClaimedSend {
  const { apiKey, isTest, organization, sender, request, policy, recipients, attachments } = email;
  const { template } = request;
  const id = sendIdOf(slotOf(email), newNonce());
  const addresses = (list: readonly EmailAddress[]) => list.map(({ address }) => address);
  const isMailed = !recipients.isToSuppressed;
  const untracked = isMailed ? untrackedBy(request, policy, organization) : undefined;
  const isKept =
    isMailed && policy.keepsContent !== false && organization.keepContentDays !== undefined;

  return {
    id,
    feedbackId: feedbackIdOf(id),
    // A suppressed send ends with its claim.
    status: isMailed ? 'sending' : 'suppressed',
    attempt: 1,
    claimId: ownPartIn(id),
    claimedAt: now,
    leaseExpiresAt: now + settings.leaseMs,
    attempts: [],
    fingerprint: fingerprintOf(endpoint, request),

    fromEmail: sender.fromEmail,
    ...(sender.fromName !== undefined && { fromName: sender.fromName }),
    toEmail: request.to.address,
    moreTo: addresses(request.moreTo),
    cc: addresses(request.cc),
    bcc: addresses(request.bcc),
    subject: request.subject,
    policyKey: email.policyKey,
    idempotencyKey: request.idempotencyKey,
    apiKeyId: apiKey?.id,
    isReadableById: apiKey?.scopes.length === 0,
    suppressedRecipients: [...recipients.suppressed],
    ...(!isTest && newRecipientsOf(recipients).length > 0 && { hasNewRecipients: true }),

    ...(template && {
      templateId: template.used.id,
      templateVersion: template.used.version,
      ...(template.used.locale !== undefined && { templateLocale: template.used.locale }),
      ...(template.used.missingVariables.length > 0 && {
        missingVariables: [...template.used.missingVariables],
      }),
    }),
    ...optionsOf({ ...request, replyTo: replyToOf(request) }),
    ...(untracked !== undefined && { untracked }),
    ...(isKept && { contentDays: organization.keepContentDays, contentKey: newSealKey() }),
    ...(request.resendOf && { resendOf: request.resendOf }),
    endpoint,
    ...(isTest && { test: true }),
    ...(attachments.count > 0 && {
      attachmentCount: attachments.count,
      attachmentBytes: attachments.totalBytes,
    }),
    createdAt: now,
    updatedAt: now,
    // Until then its idempotency key is taken. See `defaultSendRetentionDays` in `config/environment.ts`.
    expiresAt: expiryAfter(now, retentionDaysOf(organization, settings.sendRetentionDays)),
  };
}

/** An email from the service itself has no API key, and its slot is out of reach of requests. */
function slotOf({ apiKey, isTest, organization, request }: AdmittedEmail): SlotId {
  const { idempotencyKey } = request;
  return apiKey === undefined && idempotencyKey !== undefined
    ? serviceSlotIdOf(organization.id, idempotencyKey)
    : slotIdOf(organization.id, idempotencyKey, { isTest });
}

/** The attempt got no answer within its lease. */
const unansweredReason = 'Unanswered';

/** The attempt sent nothing because its address is suppressed. */
const suppressedReason = 'Suppressed';

/**
 * Keeps the send's id and failures. If the last attempt is in doubt, it may still be proven accepted until the new
 * lease ends. An email for later makes no attempt yet, but raises `attempt` too, so a late failure of an earlier one
 * isn't recorded.
 */
export function nextAttempt(existing: Send, candidate: SendUnderWay): SendUnderWay;
export function nextAttempt(existing: Send, candidate: ClaimedSend): ClaimedSend;
export function nextAttempt(existing: Send, candidate: ClaimedSend): ClaimedSend {
  const { id, feedbackId, createdAt } = existing;
  const attempt = existing.attempt + 1;
  const isLastOneKnown = isWaiting(existing) || failureOf(existing) !== undefined;
  const doubtUntil = isLastOneKnown ? existing.doubtUntil : candidate.leaseExpiresAt;
  const unanswered = {
    attempt: existing.attempt,
    at: existing.leaseExpiresAt,
    reason: unansweredReason,
  };
  const attempts = isLastOneKnown ? existing.attempts : [...existing.attempts, unanswered];
  const next: ClaimedSend = {
    // An event may have failed an email for later before a worker looked: its next look deletes the content.
    ...(existing.contentId !== undefined && { contentId: existing.contentId }),
    ...candidate,
    id,
    feedbackId,
    attempt,
    // A request that was delayed on the way may ask for less.
    expiresAt: Math.max(existing.expiresAt, candidate.expiresAt),
    attempts: attempts.slice(-maxAttemptsKept),
    ...(doubtUntil !== undefined && { doubtUntil }),
    isReadableById: existing.isReadableById && candidate.isReadableById,
    ...earlierEvents(existing),
    // The earlier attempt may have gone to another new recipient.
    ...(existing.hasNewRecipients && { hasNewRecipients: true }),
    createdAt,
  };
  const mustWait = next.status === 'suppressed' && mayEarlierBeProven(next, candidate.claimedAt);
  if (!mustWait) return next;
  // The earlier attempt's bounce may be why the address is suppressed. Then the send is `sent`.
  return heldBack(next, suppressedReason);
}

const heldBack = (next: EndedSend, reason: string): SendUnderWay => ({
  ...next,
  status: 'sending',
  attempts: [...next.attempts, { attempt: next.attempt, at: next.claimedAt, reason }],
});

export type ClaimOutcome =
  /** With the webhook deliveries that were stored with it. */
  | {
      readonly kind: 'claimed';
      readonly send: ClaimedSend;
      readonly deliveries: readonly Delivery[];
    }
  | Exclude<Verdict, { kind: 'next_attempt' }>;

export type ClaimOptions = {
  readonly subscriptions?: WebhookSubscriptions;
  /**
   * Makes a next attempt only of the send as it was seen, if one was. Otherwise the claim may have been stored, its
   * answer lost, and workers may be done with it: the caller must retry.
   */
  readonly onlyAfter?: { readonly seen: Send | undefined };
};

const maxRounds = 4;

/**
 * Claims the right to send with one conditional Put of the send. If the slot is taken, the failed condition returns its
 * send, which decides: replay, conflict or next attempt. A next attempt requires the send as read, so only one of two
 * retries wins.
 *
 * If the key was freed, the send in its own slot says how often, and the claim goes on in the slot the key leads to
 * now.
 *
 * @param candidate attempt 1 of a new send, claimed at `claimedAt`.
 */
export async function claimSend(
  table: Table,
  candidate: ClaimedSend,
  options: ClaimOptions = {},
): Promise<ClaimOutcome> {
  for (let round = 1; round <= maxRounds; round += 1) {
    const outcome = await claimSlot(table, candidate, options);
    if (outcome.kind !== 'freed') return outcome;

    const { origin, times } = outcome;
    const id = sendIdOf(freedSlotIdOf(origin.id, times), ownPartIn(candidate.id));
    const inNext = { ...candidate, id, feedbackId: feedbackIdOf(id) };
    const next = await claimSlot(table, inNext, options);
    // Freed again in between; the key's own slot has the new count.
    if (next.kind === 'freed') continue;
    if (next.kind !== 'claimed' || (await keepOrigin(table, origin, next.send))) return next;
    break;
  }
  return { kind: 'in_progress', retryAt: candidate.leaseExpiresAt };
}

type Freed = { readonly kind: 'freed'; readonly origin: Send; readonly times: number };

async function claimSlot(
  table: Table,
  candidate: ClaimedSend,
  { subscriptions = {}, onlyAfter }: ClaimOptions,
): Promise<ClaimOutcome | Freed> {
  const now = candidate.claimedAt;
  let send = candidate;
  let before: Send | undefined;
  for (let round = 1; round <= maxRounds; round += 1) {
    const deliveries = deliveriesOfClaim(send, subscriptions, now);
    const put = before
      ? await putNextAttempt(table, send, before, deliveries)
      : await putFirstAttempt(table, send, deliveries);
    if (put.isOurs) return { kind: 'claimed', send, deliveries };

    const { existing } = put;
    before = undefined;
    send = candidate;
    // The send in the slot was just deleted.
    if (existing === undefined) continue;
    if (existing.freed !== undefined) {
      return { kind: 'freed', origin: existing, times: existing.freed };
    }
    const verdict = checkUsedKey(existing, candidate, now);
    if (verdict.kind !== 'next_attempt') return verdict;
    const { seen } = onlyAfter ?? { seen: existing };
    if (seen?.id !== existing.id || seen.claimId !== existing.claimId) {
      return { kind: 'in_progress', retryAt: now + pollMs };
    }
    before = existing;
    send = nextAttempt(existing, candidate);
  }
  return { kind: 'in_progress', retryAt: candidate.leaseExpiresAt };
}
