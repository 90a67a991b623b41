import { FarOverCapError } from '#shared/access/limit-sending';
import type { AttachmentTotals } from '#shared/attachments/admit-attachments';
import { longestAttemptMs } from '#shared/config/attempt-time';
import type { EmailAddress } from '#shared/contacts/email-address';
import { untrackedBy } from '#shared/email/compose-email';
import { ServiceError, secondsUntil } from '#shared/errors/service-error';
import { retentionDaysOf } from '#shared/organizations/organization';
import { newSealKey } from '#shared/stored-content/content-store';
import { expiryAfter } from '#shared/table/expiry';
import {
  feedbackIdOf,
  newNonce,
  ownPartIn,
  type SlotId,
  sendIdOf,
  serviceSlotIdOf,
  slotIdOf,
} from '#shared/tokens/resource-id';
import type { Admission, FilledAdmission, Grounds } from './admission.ts';
import { newRecipientsOf } from './apply-policy.ts';
import type { ClaimOutcome, ClaimStore, ClaimVerdict } from './claim-store.ts';
import { fingerprintOf } from './fingerprint.ts';
import { heardBefore } from './heard.ts';
import { type ParsedSendRequest, replyToOf, type SendRequest } from './request/send-request.ts';
import {
  failureOf,
  isWaiting,
  mayEarlierBeProven,
  mostAttemptsKept,
  type Send,
  type SendEndpoint,
  type SendResponse,
  sendResponseOf,
  stateAt,
} from './send.ts';
import { optionsOf } from './send-options.ts';

// A claim takes the slot of a send, for its first attempt or the next one. `claim-store.ts` writes it. Times are epoch
// milliseconds.

type ClaimSettings = {
  /** After this a retry may take over an attempt in doubt. */
  readonly doubtWindowMs: number;
  /** At most; an organization may keep its sends for fewer days. */
  readonly sendRetentionDays: number;
};

/**
 * If the slot is taken, a retry continues with the stored send. A suppressed send ends with its claim. `now` is in
 * epoch milliseconds.
 */
export function newClaim(
  endpoint: SendEndpoint,
  admission: FilledAdmission,
  now: number,
  { doubtWindowMs, sendRetentionDays }: ClaimSettings,
): Send {
  const { apiKey, isTest, organization, sender, request, policyKey, recipients, attachments } =
    admission;
  const id = sendIdOf(slotOf(admission), newNonce());
  const addresses = (list: readonly EmailAddress[]) => list.map(({ address }) => address);
  const retentionDays = retentionDaysOf(organization, sendRetentionDays);
  return {
    id,
    feedbackId: feedbackIdOf(id),
    status: recipients.isToSuppressed ? 'suppressed' : 'sending',
    attempt: 1,
    claimId: ownPartIn(id),
    claimedAt: now,
    leaseExpiresAt: now + doubtWindowMs,
    attempts: [],
    fingerprint: fingerprintOf(endpoint, request),
    fromEmail: sender.fromEmail,
    ...(sender.fromName !== undefined && { fromName: sender.fromName }),
    toEmail: request.to.address,
    moreTo: addresses(request.moreTo),
    cc: addresses(request.cc),
    bcc: addresses(request.bcc),
    subject: request.subject,
    policyKey,
    idempotencyKey: request.idempotencyKey,
    apiKeyId: apiKey?.id,
    isReadableById: apiKey?.scopes.length === 0,
    suppressedRecipients: [...recipients.suppressed],
    ...(!isTest && newRecipientsOf(recipients).length > 0 && { hasNewRecipients: true }),
    ...templateUseOf(request),
    ...optionsOf({ ...request, replyTo: replyToOf(request) }),
    ...untrackedNoteOf(admission),
    ...keepingNoteOf(admission),
    ...(request.resendOf && { resendOf: request.resendOf }),
    endpoint,
    ...(isTest && { test: true }),
    ...attachmentUseOf(attachments),
    createdAt: now,
    updatedAt: now,
    expiresAt: expiryAfter(now, retentionDays),
  };
}

function keepingNoteOf({
  organization: { keepContentDays },
  policy,
  recipients,
}: Pick<Admission, 'organization' | 'policy' | 'recipients'>): Pick<
  Send,
  'contentDays' | 'contentKey'
> {
  const isKept = policy.keepsContent !== false && !recipients.isToSuppressed;
  if (keepContentDays === undefined || !isKept) return {};
  return { contentDays: keepContentDays, contentKey: newSealKey() };
}

/** An email from the service itself has no API key, and its slot is out of reach of requests. */
function slotOf({
  apiKey,
  isTest,
  organization,
  request: { idempotencyKey },
}: FilledAdmission): SlotId {
  const isOfService = apiKey === undefined && idempotencyKey !== undefined;
  return isOfService
    ? serviceSlotIdOf(organization.id, idempotencyKey)
    : slotIdOf(organization.id, idempotencyKey, { isTest });
}

function templateUseOf({
  template,
}: SendRequest): Pick<
  Send,
  'templateId' | 'templateVersion' | 'templateLocale' | 'missingVariables'
> {
  if (template === undefined) return {};
  const { id: templateId, version: templateVersion, locale, missingVariables } = template.used;
  return {
    templateId,
    templateVersion,
    ...(locale !== undefined && { templateLocale: locale }),
    ...(missingVariables.length > 0 && { missingVariables: [...missingVariables] }),
  };
}

/** Absent unless tracking is off, which is rare. */
function untrackedNoteOf({
  request,
  policy,
  organization,
  recipients,
}: FilledAdmission): Pick<Send, 'untracked'> {
  const untracked = recipients.isToSuppressed
    ? undefined
    : untrackedBy(request, policy, organization);
  return untracked === undefined ? {} : { untracked };
}

/** Absent from most items: most emails have no attachment. */
function attachmentUseOf({
  count: attachmentCount,
  totalBytes: attachmentBytes,
}: AttachmentTotals): Pick<Send, 'attachmentCount' | 'attachmentBytes'> {
  return attachmentCount === 0 ? {} : { attachmentCount, attachmentBytes };
}

/**
 * The idempotency key is the client's name for the send. It leads to the send's slot (`slotIdOf` in
 * `tokens/resource-id.ts`). If a request finds a send in its slot, the first row that fits says what it does:
 *
 * | the send in the slot                     | what the request does                                |
 * |------------------------------------------|------------------------------------------------------|
 * | has given up its key: a manager freed it | claims the slot to which the key now leads           |
 * | is `failed`                              | makes the next attempt, even if its body differs; or |
 * |                                          | lets it wait again, if that is what it asks for      |
 * | was made by a request that asks for      | is refused: the key is reused                        |
 * | something else                           |                                                      |
 * | is `sent`, `suppressed` or `canceled`    | replays the answer                                   |
 * | is `scheduled` or `queued`, or a worker  | replays what has become of it so far: workers alone  |
 * | sends it (`dueAt`)                       | make its attempts                                    |
 * | is `sending`, the window is not over     | waits: an attempt is under way, or in doubt          |
 * | is `sending`, the window is over, and    | replays the answer: SES took the email               |
 * | there is a proof (`provenAt`)            |                                                      |
 * | is `sending`, the window is over         | makes the next attempt: SES never took the email     |
 *
 * A window lasts 300 s unless `DOUBT_WINDOW_SECONDS` (`config/environment.ts`) differs; `newClaim` sets
 * its end. A send whose last attempt SES refused while an earlier one was in doubt is `failed` once its
 * window is over.
 */
type IdempotencyVerdict =
  | Exclude<ClaimVerdict, { kind: 'next_attempt' }>
  | { readonly kind: 'next_attempt' };

/** While the first request may still run, a retry is told to come back after this time. */
export const pollMs = 1_000;

export function judgeExisting(
  send: Send,
  { fingerprint, apiKeyId }: Pick<Send, 'fingerprint' | 'apiKeyId'>,
  now: number,
): IdempotencyVerdict {
  const { status } = stateAt(send, now);
  const hasKnownFailure = status === 'failed' && failureOf(send) !== undefined;
  if (hasKnownFailure) return { kind: 'next_attempt' };
  // Until 2026-11-24 the whole digest was stored.
  if (!send.fingerprint.startsWith(fingerprint)) {
    return { kind: 'key_reused', ...(send.apiKeyId !== apiKeyId && { byAnotherKey: true }) };
  }
  switch (status) {
    case 'scheduled':
    case 'queued':
    case 'sent':
    case 'suppressed':
    case 'canceled':
      return { kind: 'replay', response: sendResponseOf(send, status) };
    case 'failed':
      return { kind: 'next_attempt' };
    case 'sending':
      if (send.dueAt !== undefined) {
        return { kind: 'replay', response: sendResponseOf(send, status) };
      }
      return { kind: 'in_progress', retryAt: retryAtOf(send, now) };
  }
}

function retryAtOf({ claimedAt, leaseExpiresAt }: Send, now: number): number {
  const mayStillRun = now < claimedAt + longestAttemptMs;
  return mayStillRun ? Math.min(now + pollMs, leaseExpiresAt) : leaseExpiresAt;
}

export function judgeClaim(existing: Send, wanted: Send): ClaimVerdict {
  const verdict = judgeExisting(existing, wanted, wanted.claimedAt);
  if (verdict.kind !== 'next_attempt') return verdict;
  return { kind: 'next_attempt', send: nextAttempt(existing, wanted) };
}

/** The attempt got no answer within its window. */
const unansweredReason = 'Unanswered';

/** The attempt sent nothing because its address is suppressed. */
const suppressedReason = 'Suppressed';

/**
 * Keeps the send's id and failures. An attempt in doubt may still be proven accepted during the new window. A request
 * that lets the email wait raises `attempt` too, so earlier attempts no longer count.
 */
export function nextAttempt(existing: Send, wanted: Send): Send {
  const { id, feedbackId, createdAt } = existing;
  const attempt = existing.attempt + 1;
  const isLastOneKnown = isWaiting(existing) || failureOf(existing) !== undefined;
  const doubtUntil = isLastOneKnown ? existing.doubtUntil : wanted.leaseExpiresAt;
  const unanswered = {
    attempt: existing.attempt,
    at: existing.leaseExpiresAt,
    reason: unansweredReason,
  };
  const attempts = isLastOneKnown ? existing.attempts : [...existing.attempts, unanswered];
  const next: Send = {
    // An event may have failed an email for later before a worker looked: its next look deletes the content.
    ...(existing.contentId !== undefined && { contentId: existing.contentId }),
    ...wanted,
    id,
    feedbackId,
    attempt,
    // A request that was delayed on the way may ask for less.
    expiresAt: Math.max(existing.expiresAt, wanted.expiresAt),
    attempts: attempts.slice(-mostAttemptsKept),
    ...(doubtUntil !== undefined && { doubtUntil }),
    isReadableById: existing.isReadableById && wanted.isReadableById,
    ...heardBefore(existing),
    // The earlier attempt may have gone to another new recipient.
    ...(existing.hasNewRecipients && { hasNewRecipients: true }),
    createdAt,
  };
  const mustWait = next.status === 'suppressed' && mayEarlierBeProven(next, wanted.claimedAt);
  if (!mustWait) return next;
  // The earlier attempt's bounce may be why the address is suppressed. Then the send is `sent`.
  return heldBack(next, suppressedReason);
}

const heldBack = (next: Send, reason: string): Send => ({
  ...next,
  status: 'sending',
  attempts: [...next.attempts, { attempt: next.attempt, at: next.claimedAt, reason }],
});

export type SendResult = { readonly response: SendResponse; readonly replayed: boolean };

export function answerUsedKey(
  verdict: Exclude<ClaimOutcome, { kind: 'claimed' }>,
  now: number,
): SendResult {
  switch (verdict.kind) {
    case 'replay':
      return { response: verdict.response, replayed: true };
    case 'in_progress':
      throw inProgress(verdict.retryAt, now);
    case 'key_reused':
      throw keyReused(verdict);
  }
}

type Asking = Pick<Admission, 'apiKey' | 'isTest' | 'organization' | 'request'>;

export async function readExisting(
  { isTest, organization, request: { idempotencyKey } }: Asking,
  now: number,
  { claims }: { readonly claims: Pick<ClaimStore, 'get'> },
): Promise<Send | undefined> {
  return idempotencyKey === undefined
    ? undefined
    : claims.get(slotIdOf(organization.id, idempotencyKey, { isTest }), now);
}

/**
 * Answers without a claim.
 *
 * @returns `undefined` if the request may make an attempt.
 * @throws ServiceError if its attempt is under way, or the key is another request's.
 */
export const knownAnswer = async (
  endpoint: SendEndpoint,
  asking: Asking,
  now: number,
  sending: { readonly claims: Pick<ClaimStore, 'get'> },
): Promise<SendResult | undefined> =>
  answerOf(endpoint, asking, await readExisting(asking, now, sending), now);

/**
 * The answer that the key of a refused request got before, if any: it stands, whatever is in the way now.
 *
 * @throws ServiceError as `knownAnswer`.
 */
export async function earlierAnswer(
  refusal: ServiceError,
  { endpoint, request }: { readonly endpoint: SendEndpoint; readonly request: ParsedSendRequest },
  { apiKey, organization }: Pick<Grounds, 'apiKey' | 'organization'>,
  { claims, now }: { readonly claims: Pick<ClaimStore, 'get'>; readonly now: () => number },
): Promise<SendResult | undefined> {
  if (!request.ok || refusal instanceof FarOverCapError) return undefined;
  const asking = { apiKey, isTest: apiKey.test === true, organization, request: request.value };
  return knownAnswer(endpoint, asking, now(), { claims });
}

/** `knownAnswer` for a send that was already read. */
export function answerOf(
  endpoint: SendEndpoint,
  { apiKey, request }: Pick<Admission, 'apiKey' | 'request'>,
  existing: Send | undefined,
  now: number,
): SendResult | undefined {
  if (existing === undefined) return undefined;
  const asked = { fingerprint: fingerprintOf(endpoint, request), apiKeyId: apiKey?.id };
  const verdict = judgeExisting(existing, asked, now);
  return verdict.kind === 'next_attempt' ? undefined : answerUsedKey(verdict, now);
}

const keyReused = ({ byAnotherKey = false }: { readonly byAnotherKey?: boolean }) =>
  new ServiceError(
    'idempotency_key_reused',
    byAnotherKey
      ? 'This idempotency key was used by another API key of your organization, for a different request. Use a new key for a new email. If that request wasn’t yours, a manager can free the key: DELETE /api/v1/idempotency-keys/{key}.'
      : 'This idempotency key was used for a different request. Repeat that request, or use a new key for a new email.',
  );

export const inProgress = (retryAt: number, now: number): ServiceError =>
  new ServiceError(
    'idempotency_in_progress',
    'A request with this idempotency key is in progress, or its outcome isn’t known yet. Wait for Retry-After, then retry with the same key.',
    { retryAfterSeconds: secondsUntil(retryAt, now) },
  );
