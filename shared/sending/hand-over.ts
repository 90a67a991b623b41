import type { OutgoingAttachment } from '#shared/attachments/attachment';
import { loadAttachments } from '#shared/attachments/load-attachments';
import { longestAttemptMs, longestFetchMs, workBudgetMs } from '#shared/config/attempt-time';
import { type ComposedEmail, composeEmail } from '#shared/email/compose-email';
import { hasFooter } from '#shared/email/email-footer';
import { createEmailLinks } from '#shared/email/email-links';
import type { CallDeadline, ProviderOutcome } from '#shared/email/email-provider';
import { ServiceError, secondsUntil } from '#shared/errors/service-error';
import type { RequestLog } from '#shared/observability/request-log';
import { linkBaseOf } from '#shared/organizations/link-domains';
import { contactIdOf } from '#shared/tokens/resource-id';
import type { Keyring } from '#shared/tokens/signed-token';
import type { FilledAdmission } from './admission.ts';
import { newRecipientsOf } from './apply-policy.ts';
import { contentPlaceOf, type Keeping, type KeptContent } from './kept-content.ts';
import { replyToOf } from './request/send-request.ts';
import { type Acceptance, type Send, type SendResponse, sendResponseOf } from './send.ts';
import { headersOfOptions } from './send-options.ts';
import { failedRows, sentRows } from './send-outbox.ts';
import type { Mailing } from './sending.ts';
import type { AcceptanceOutcome } from './settlement-store.ts';

export type Attempt = {
  readonly admission: FilledAdmission;
  readonly keyring: Keyring;
  /** A retry keeps the id of the first attempt. */
  readonly send: Send;
  readonly log: RequestLog;
};

/**
 * Hands a claimed email to SES and commits the outcome.
 *
 * @throws ServiceError when the email wasn't sent, or its outcome is unknown.
 */
export async function handOver(attempt: Attempt, sending: Mailing): Promise<SendResponse> {
  const { admission, send } = attempt;
  const { request, recipients, organization, sender } = admission;
  const attachments = await attachmentsOf(attempt, sending);
  const callProvider = send.test ? sending.callTestProvider : sending.callProvider;
  const outcome = await callProvider(
    {
      organizationId: organization.id,
      feedbackId: send.feedbackId,
      tenantName: isOfTenant(attempt, sending) ? organization.id : undefined,
      fromEmail: send.fromEmail,
      senderName: sender.fromName ?? organization.senderName,
      replyTo:
        replyToOf(request) ?? (organization.replyTo === undefined ? [] : [organization.replyTo]),
      to: recipients.to,
      cc: recipients.cc,
      bcc: recipients.bcc,
      subject: request.subject,
      attachments,
      isShedFirst: (organization.overShareUntil ?? 0) > send.claimedAt,
      ...(await contentOf(attempt, sending)),
    },
    deadlineOf(send),
  );
  switch (outcome.kind) {
    case 'accepted':
      if (!send.test) sending.refusals.noteAccepted();
      return accept(attempt, outcome, attachments, sending);
    case 'rejected':
      await fail(attempt, outcome.reason, sending, 'reported');
      throw rejected(attempt, outcome.reason, sending);
    case 'throttled':
      sending.countThrottled(organization.id);
      await fail(attempt, 'Throttled', sending);
      throw throttled();
    case 'unreachable':
      await fail(attempt, 'Unreachable', sending);
      throw unreachable(outcome.cause);
    case 'unknown':
      throw doubt(attempt, outcome.cause, sending);
  }
}

/** A sandbox may freeze after the claim. If it thaws late, it doesn't call SES: see `longestAttemptMs`. */
const deadlineOf = ({ claimedAt, leaseExpiresAt }: Send): CallDeadline => ({
  beginsBefore: Math.min(claimedAt + longestAttemptMs, leaseExpiresAt),
  endsBefore: leaseExpiresAt,
});

/**
 * If an attachment can't be loaded, the send fails, and a retry may send it. Files behind URLs must load in time for
 * the call to SES.
 */
async function attachmentsOf(attempt: Attempt, sending: Mailing): Promise<OutgoingAttachment[]> {
  const { admission, send } = attempt;
  if (admission.request.attachments.length === 0) return [];
  const timeLeft = send.claimedAt + workBudgetMs - sending.now();
  const signal = AbortSignal.timeout(Math.max(0, Math.min(longestFetchMs, timeLeft)));
  const knownBytes = admission.attachments.totalBytes;
  const loading = { organizationId: admission.organization.id, knownBytes, signal };
  try {
    return await loadAttachments(admission.request.attachments, sending, loading);
  } catch (error) {
    await fail(attempt, 'AttachmentUnavailable', sending);
    throw error;
  }
}

function contentOf(
  { admission, keyring, send }: Attempt,
  sending: Pick<Mailing, 'baseUrl' | 'linkDomains'>,
): Promise<ComposedEmail> {
  const { organization, request, recipients, policy } = admission;
  const [holder = request.to] = recipients.to;
  const contactId = contactIdOf(organization.id, holder.identity);
  const recipient = {
    contactId,
    feedbackId: send.feedbackId,
    ...(policy.categoryKey !== undefined && { categoryKey: policy.categoryKey }),
  };
  const links = createEmailLinks(
    keyring,
    linkBaseOf(organization, sending),
    recipient,
    organization.unsubscribePageUrl,
  );
  const words = { ...request, headers: headersOfOptions(request) };
  return composeEmail(words, recipients, organization, policy, links);
}

type Accepted = Extract<ProviderOutcome, { kind: 'accepted' }>;

/**
 * New contacts, the kept content and the wake of the queue run beside the commit and can't fail the send. If they are
 * lost, the Send event creates the contacts, the content isn't kept, and the scheduled run finds the due deliveries.
 */
async function accept(
  attempt: Attempt,
  { providerMessageId, acceptedAt }: Accepted,
  attachments: readonly OutgoingAttachment[],
  sending: Mailing,
): Promise<SendResponse> {
  const { admission, send } = attempt;
  const { organization, recipients } = admission;
  const acceptance = {
    providerMessageId,
    at: acceptedAt ?? sending.now(),
    ...fetchedBytesOf(admission.attachments, attachments),
  };
  const deliveries = sentRows(send, acceptance, organization.webhooks);

  const keeping = keepingOf(send, admission, attachments);
  const beside = Promise.allSettled([
    ...(send.test ? [] : newRecipientsOf(recipients)).map(({ identity }) =>
      sending.contacts.ensure(organization.id, identity, send.claimedAt),
    ),
    keeping && sending.keepContent(keeping),
  ]);
  let outcome: AcceptanceOutcome;
  try {
    outcome = await sending.settlements.commitAcceptance(send, acceptance, deliveries);
  } catch (cause) {
    // Lambda freezes the process once it has answered.
    logFailures(await beside, attempt.log);
    throw doubt(attempt, cause, sending);
  }
  const woken = Promise.allSettled([sending.wakeQueue(deliveries)]);
  logFailures([...(await beside), ...(await woken)], attempt.log);
  // An SES event may have been faster: a Reject may have failed the attempt, or another message settled the send.
  const isRejected = outcome.kind === 'known' && outcome.send.status !== 'sent';
  if (isRejected) throw rejected(attempt, 'Reject', sending);
  return sendResponseOf(outcome.send, 'sent', outcome.send.providerMessageId ?? providerMessageId);
}

function logFailures(effects: readonly PromiseSettledResult<unknown>[], log: RequestLog): void {
  for (const effect of effects) {
    if (effect.status === 'rejected') log.error('side effect failed', effect.reason);
  }
}

/** The size of files behind URLs, which the claim couldn't know. */
function fetchedBytesOf(
  { totalBytes }: FilledAdmission['attachments'],
  attachments: readonly OutgoingAttachment[],
): Pick<Acceptance, 'attachmentBytes'> {
  const attachmentBytes = attachments.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return attachmentBytes === totalBytes ? {} : { attachmentBytes };
}

/**
 * Records that this attempt sent nothing. If that can't be stored, a retry continues when the window ends.
 *
 * @param isReported whether webhooks report a failed send: repeating the same request can't help.
 * @throws ServiceError `provider_outcome_unknown` when the send may still become `sent`: an earlier attempt may yet be
 *   proven accepted, or a later one is under way.
 */
async function fail(
  attempt: Attempt,
  reason: string,
  sending: Mailing,
  isReported?: 'reported',
): Promise<void> {
  const { send, log, admission } = attempt;
  const now = sending.now();
  // The window is over and a retry may be at work, so this attempt must write nothing more.
  if (now >= send.leaseExpiresAt) throw doubt(attempt, undefined, sending);
  // A worker's caller isn't waiting to try again.
  const deliveries =
    isReported || send.dueAt !== undefined
      ? failedRows(send, { at: now, reason }, admission.organization.webhooks)
      : [];
  try {
    const outcome = await sending.settlements.recordFailure(send, reason, now, deliveries);
    if (outcome === 'failed') return await sending.wakeQueue(deliveries);
    if (outcome === 'postponed') return;
  } catch (error) {
    log.error('failed send not recorded', error, { reason });
    const isStillOurs = sending.now() < send.leaseExpiresAt && send.doubtUntil === undefined;
    if (isStillOurs) return;
  }
  throw doubt(attempt, undefined, sending);
}

function doubt({ send }: Attempt, cause: unknown, sending: Mailing) {
  sending.countDoubt('unanswered');
  return outcomeUnknown(send, cause, sending.now());
}

const isOfTenant = ({ admission: { organization } }: Attempt, { usesTenants }: Mailing): boolean =>
  usesTenants && organization.tenant !== undefined;

function rejected(attempt: Attempt, reason: string, sending: Mailing): ServiceError {
  const { id: organizationId } = attempt.admission.organization;
  const refused = { organizationId, reason, isOfTenant: isOfTenant(attempt, sending) };
  const isSendersFault = sending.refusals.isSendersFault(refused);
  sending.countRefused(organizationId, isSendersFault ? 'sender' : 'service');
  return new ServiceError(
    'provider_rejected',
    `The email provider rejected the email (${reason}). Nothing was sent. To try this send again, retry with the same key.`,
    { isSendersFault },
  );
}

/** SES certainly didn't take it, so a retry is safe soon. */
const notTakenRetryAfterSeconds = 5;

const throttled = (): ServiceError =>
  new ServiceError(
    'provider_throttled',
    'The email provider is limiting the sending rate. Nothing was sent; wait for Retry-After and retry with the same key.',
    { retryAfterSeconds: notTakenRetryAfterSeconds },
  );

const unreachable = (cause: unknown): ServiceError =>
  new ServiceError(
    'provider_unreachable',
    'The email provider could not be reached. Nothing was sent; wait for Retry-After and retry with the same key.',
    { cause, retryAfterSeconds: notTakenRetryAfterSeconds },
  );

export function outcomeUnknown(
  { idempotencyKey, leaseExpiresAt }: Send,
  cause: unknown,
  now: number,
): ServiceError {
  if (idempotencyKey === undefined) {
    const detail =
      'The email may or may not have been sent. Without an idempotency key a retry may send it a second time; with one it is sent at most once.';
    return new ServiceError('provider_outcome_unknown', detail, { cause });
  }
  return new ServiceError(
    'provider_outcome_unknown',
    'The email may or may not have been sent. Wait for Retry-After and retry with the same key: it never sends twice.',
    { cause, retryAfterSeconds: secondsUntil(leaseExpiresAt, now) },
  );
}

function keepingOf(
  send: Send,
  { request, recipients, organization, policy }: FilledAdmission,
  attachments: readonly OutgoingAttachment[],
): Keeping | undefined {
  const place = contentPlaceOf(send);
  if (place === undefined || send.contentKey === undefined) return undefined;
  const { name, footerText } = organization;
  const content: KeptContent = {
    subject: request.subject,
    content: request.content,
    htmlContent: request.htmlContent,
    ...(hasFooter(recipients, policy) && { footerOf: { name, footerText } }),
    attachments: attachments.map(({ bytes, ...attachment }) => ({
      ...attachment,
      size: bytes.byteLength,
    })),
  };
  const files = attachments.map(({ bytes }) => bytes);
  return { place, content, files, sealKey: send.contentKey };
}
