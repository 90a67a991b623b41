import type { OutgoingAttachment } from '#shared/attachments/attachment';
import { loadAttachments } from '#shared/attachments/load-attachments';
import { longestAttemptMs, longestFetchMs } from '#shared/config/send-attempt-time';
import { workBudgetMs } from '#shared/config/work-budget';
import { ensureContact } from '#shared/contacts/contact-store';
import { type ComposedEmail, composeEmail } from '#shared/email/compose-email';
import { hasFooter } from '#shared/email/email-footer';
import { createEmailLinks } from '#shared/email/email-links';
import { ServiceError, secondsUntil } from '#shared/errors/service-error';
import { publishCount } from '#shared/observability/metrics';
import type { RequestLog } from '#shared/observability/request-log';
import { linkBaseOf } from '#shared/organizations/link-domains';
import { contactIdOf } from '#shared/tokens/resource-id';
import type { Keyring } from '#shared/tokens/signed-token';
import { newRecipientsOf } from './apply-policy.ts';
import type { AdmittedEmail } from './check-email.ts';
import { contentPlaceOf, type KeptCopy, keepCopy } from './kept-content.ts';
import { isForWorkers } from './later/waiting.ts';
import { replyToOf } from './request/send-request.ts';
import { type Acceptance, type Send, type SendResponse, sendResponseOf } from './send.ts';
import { headersOfOptions } from './send-options.ts';
import { emailFailedDeliveries, emailSentDeliveries } from './send-outbox.ts';
import {
  type AcceptanceOutcome,
  commitAcceptance,
  listAsDoubtful,
  recordFailure,
} from './send-store.ts';
import type { Mailing } from './sending.ts';

type Attempt = {
  readonly email: AdmittedEmail;
  readonly keyring: Keyring;
  /** As claimed. A retry keeps the id of the first attempt. */
  readonly send: Send;
  readonly log: RequestLog;
};

/**
 * Hands a claimed email to SES and commits the outcome.
 *
 * @throws ServiceError when the email wasn't sent, or its outcome is unknown.
 */
export async function handOver(attempt: Attempt, sending: Mailing): Promise<SendResponse> {
  const { email, send } = attempt;
  const { request, recipients, organization, sender } = email;
  const attachments = await loadFiles(attempt, sending);

  const call = send.test ? sending.email.sendTest : sending.email.send;
  const outcome = await call(
    {
      organizationId: organization.id,
      feedbackId: send.feedbackId,
      tenantName: isOfTenant(attempt, sending) ? organization.id : undefined,
      fromEmail: send.fromEmail,
      senderName: sender.fromName ?? organization.senderName,
      replyTo: replyToOf(request) ?? (organization.replyTo ? [organization.replyTo] : []),
      to: recipients.to,
      cc: recipients.cc,
      bcc: recipients.bcc,
      subject: request.subject,
      attachments,
      isShedFirst: (organization.overShareUntil ?? 0) > send.claimedAt,
      ...(await compose(attempt, sending)),
    },
    // A sandbox may freeze after the claim. If it thaws late, it doesn't call SES: see `longestAttemptMs`.
    {
      beginsBefore: Math.min(send.claimedAt + longestAttemptMs, send.leaseExpiresAt),
      endsBefore: send.leaseExpiresAt,
    },
  );

  switch (outcome.kind) {
    case 'accepted': {
      if (!send.test) sending.email.refusals.noteAccepted();
      const at = outcome.acceptedAt ?? sending.now();
      return commit(attempt, outcome.providerMessageId, at, attachments, sending);
    }
    case 'refused':
      await fail(attempt, outcome.reason, sending, 'reported');
      throw notSent(attempt, outcome.reason, sending);
    case 'throttled':
      publishCount('SendThrottled', {}, { organizationId: organization.id });
      await fail(attempt, 'Throttled', sending);
      throw new ServiceError(
        'provider_throttled',
        'The email provider is limiting the sending rate. Nothing was sent; wait for Retry-After and retry with the same key.',
        { retryAfterSeconds: notTakenRetryAfterSeconds },
      );
    case 'unreachable':
      await fail(attempt, 'Unreachable', sending);
      throw new ServiceError(
        'provider_unreachable',
        'The email provider could not be reached. Nothing was sent; wait for Retry-After and retry with the same key.',
        { cause: outcome.cause, retryAfterSeconds: notTakenRetryAfterSeconds },
      );
    case 'unknown':
      if (!isForWorkers(send)) await listDoubt(attempt, sending);
      throw doubt(attempt, outcome.cause, sending);
  }
}

/**
 * If an attachment can't be loaded, the send fails, and a retry may send it. Files behind URLs must load in time for
 * the call to SES.
 */
async function loadFiles(attempt: Attempt, sending: Mailing): Promise<OutgoingAttachment[]> {
  const { request, attachments, organization } = attempt.email;
  if (request.attachments.length === 0) return [];
  const timeLeft = attempt.send.claimedAt + workBudgetMs - sending.now();
  const signal = AbortSignal.timeout(Math.max(0, Math.min(longestFetchMs, timeLeft)));
  const knownBytes = attachments.totalBytes;
  const loading = { organizationId: organization.id, knownBytes, signal };
  try {
    return await loadAttachments(request.attachments, sending.attachments, loading);
  } catch (error) {
    await fail(attempt, 'AttachmentUnavailable', sending);
    throw error;
  }
}

function compose({ email, keyring, send }: Attempt, sending: Mailing): Promise<ComposedEmail> {
  const { organization, request, recipients, policy } = email;
  const [holder = request.to] = recipients.to;
  const links = createEmailLinks(
    keyring,
    linkBaseOf(organization, sending.settings),
    {
      contactId: contactIdOf(organization.id, holder.identity),
      feedbackId: send.feedbackId,
      ...(policy.categoryKey !== undefined && { categoryKey: policy.categoryKey }),
    },
    organization.unsubscribePageUrl,
  );
  const words = { ...request, headers: headersOfOptions(request) };
  return composeEmail(words, recipients, organization, policy, links);
}

/**
 * New contacts, the kept content and the wake of the queue run beside the commit and can't fail the send. If they are
 * lost, the Send event creates the contacts, the content isn't kept, and the scheduled run finds the due deliveries.
 */
async function commit(
  attempt: Attempt,
  providerMessageId: string,
  at: number,
  attachments: readonly OutgoingAttachment[],
  sending: Mailing,
): Promise<SendResponse> {
  const { email, send, log } = attempt;
  const { organization, recipients } = email;

  // The claim couldn't know the size of files behind URLs.
  const attachmentBytes = attachments.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const acceptance: Acceptance = {
    providerMessageId,
    at,
    ...(attachmentBytes !== email.attachments.totalBytes && { attachmentBytes }),
  };
  const deliveries = emailSentDeliveries(send, acceptance, organization.webhooks);

  const copy = copyToKeep(attempt, attachments);
  const beside = Promise.allSettled([
    ...(send.test ? [] : newRecipientsOf(recipients)).map(({ identity }) =>
      ensureContact(sending.table, organization.id, identity, send.claimedAt),
    ),
    copy && keepCopy(sending.keptContents, copy),
  ]);
  let outcome: AcceptanceOutcome;
  try {
    outcome = await commitAcceptance(sending.table, send, acceptance, deliveries);
  } catch (cause) {
    // Lambda freezes the process once it has answered.
    logFailures(await beside, log);
    throw doubt(attempt, cause, sending);
  }
  const woken = Promise.allSettled([sending.wakeWebhooks(deliveries)]);
  logFailures([...(await beside), ...(await woken)], log);

  // An SES event may have been faster: a Reject may have failed the attempt, or another message settled the send.
  if (outcome.kind === 'known' && outcome.send.status !== 'sent') {
    throw notSent(attempt, 'Reject', sending);
  }
  return sendResponseOf(outcome.send, 'sent', outcome.send.providerMessageId ?? providerMessageId);
}

/** What the organization keeps of the email, if it does. */
function copyToKeep(
  { send, email: { request, recipients, organization, policy } }: Attempt,
  attachments: readonly OutgoingAttachment[],
): KeptCopy | undefined {
  const place = contentPlaceOf(send);
  if (place === undefined || send.contentKey === undefined) return undefined;
  const { name, footerText } = organization;
  return {
    place,
    content: {
      subject: request.subject,
      content: request.content,
      htmlContent: request.htmlContent,
      ...(hasFooter(recipients, policy) && { footerOf: { name, footerText } }),
      attachments: attachments.map(({ bytes, ...attachment }) => ({
        ...attachment,
        size: bytes.byteLength,
      })),
    },
    files: attachments.map(({ bytes }) => bytes),
    sealKey: send.contentKey,
  };
}

function logFailures(effects: readonly PromiseSettledResult<unknown>[], log: RequestLog): void {
  for (const effect of effects) {
    if (effect.status === 'rejected') log.error('side effect failed', effect.reason);
  }
}

/**
 * Records that this attempt sent nothing. If that can't be stored, a retry continues when the lease ends.
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
  const { send, log, email } = attempt;
  const now = sending.now();
  // A retry may be at work, so this attempt must write nothing more.
  if (now >= send.leaseExpiresAt) throw doubt(attempt, undefined, sending);

  // A worker's caller isn't waiting to try again.
  const deliveries =
    isReported || isForWorkers(send)
      ? emailFailedDeliveries(send, { at: now, reason }, email.organization.webhooks)
      : [];
  try {
    const outcome = await recordFailure(sending.table, send, reason, now, deliveries);
    if (outcome === 'failed') return await sending.wakeWebhooks(deliveries);
    if (outcome === 'postponed') return;
  } catch (error) {
    log.error('failed send not recorded', error, { reason });
    const isStillOurs = sending.now() < send.leaseExpiresAt && send.doubtUntil === undefined;
    if (isStillOurs) return;
  }
  throw doubt(attempt, undefined, sending);
}

const isOfTenant = ({ email: { organization } }: Attempt, { settings }: Mailing): boolean =>
  settings.usesTenants && organization.tenant !== undefined;

/** If it can't be noted, only `status=failed` finds the send. */
async function listDoubt({ send, log }: Attempt, { table }: Mailing): Promise<void> {
  try {
    await listAsDoubtful(table, send);
  } catch (error) {
    log.error('send in doubt not listed', error);
  }
}

/** For SES's refusal of the call, and for a Reject event that was faster: callers get the same code for both. */
function notSent(attempt: Attempt, reason: string, sending: Mailing): ServiceError {
  const organizationId = attempt.email.organization.id;
  const refused = { organizationId, reason, isOfTenant: isOfTenant(attempt, sending) };
  const isSendersFault = sending.email.refusals.isSendersFault(refused);
  publishCount('SendRefused', { fault: isSendersFault ? 'sender' : 'service' }, { organizationId });
  return new ServiceError(
    'provider_rejected',
    `The email provider rejected the email (${reason}). Nothing was sent. To try this send again, retry with the same key.`,
    { isSendersFault },
  );
}

/** SES certainly didn't take it, so a retry is safe soon. */
const notTakenRetryAfterSeconds = 5;

function doubt({ send }: Attempt, cause: unknown, sending: Mailing): ServiceError {
  publishCount('SendInDoubt', { found: 'unanswered' });
  return outcomeUnknown(send, cause, sending.now());
}

export function outcomeUnknown(
  { idempotencyKey, leaseExpiresAt }: Send,
  cause: unknown,
  now: number,
): ServiceError {
  return idempotencyKey === undefined
    ? new ServiceError(
        'provider_outcome_unknown',
        'The email may or may not have been sent. Without an idempotency key a retry may send it a second time; with one it is sent at most once.',
        { cause },
      )
    : new ServiceError(
        'provider_outcome_unknown',
        'The email may or may not have been sent. Wait for Retry-After and retry with the same key: it never sends twice.',
        { cause, retryAfterSeconds: secondsUntil(leaseExpiresAt, now) },
      );
}
