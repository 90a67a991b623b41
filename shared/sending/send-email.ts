import type { AttachmentTotals } from '#shared/attachments/admit-attachments';
import type { OutgoingAttachment } from '#shared/attachments/attachment';
import { loadAttachments } from '#shared/attachments/load-attachments';
import type { FetchUpload } from '#shared/attachments/upload';
import type { EmailAddress } from '#shared/contacts/email-address';
import { ServiceError, secondsUntil } from '#shared/errors/service-error';
import type { RequestLog } from '#shared/observability/request-log';
import {
  contactIdOf,
  feedbackIdOf,
  newSendId,
  type OrganizationId,
} from '#shared/tokens/resource-id';
import type { Keyring } from '#shared/tokens/signed-token';
import type { Delivery } from '#shared/webhooks/delivery';
import { deliveriesOf } from '#shared/webhooks/outbox';
import {
  type Admission,
  type AdmissionDependencies,
  type AdmissionObserver,
  admit,
} from './admission.ts';
import type { Claim, ClaimOutcome } from './claim-store.ts';
import { composeContent, type EmailContent } from './email-content.ts';
import { createEmailLinks } from './email-links.ts';
import type { EmailProvider } from './email-provider.ts';
import { fingerprintOf, type IdempotencyRecord, judgeRecord } from './idempotency.ts';
import { type Send, type SendEndpoint, type SendResponse, sendResponseOf } from './send.ts';
import type { ParsedSendRequest, SendRequest } from './send-request.ts';
import { webhookEventOf } from './send-webhook-event.ts';
import type { Acceptance, Settlement } from './settlement-store.ts';
import { writeEmail } from './write-email.ts';

export type SendCommand = AdmissionObserver & {
  readonly endpoint: SendEndpoint;
  /** The API key as presented, if any. */
  readonly credential: string | undefined;
  readonly request: ParsedSendRequest;
  readonly log: RequestLog;
};

export type SendResult = { readonly response: SendResponse; readonly replayed: boolean };

type CommitAcceptance = (
  send: Send,
  acceptance: Acceptance,
  deliveries: readonly Delivery[],
) => Promise<Settlement>;

export type SendDependencies = AdmissionDependencies & {
  readonly now: () => number;
  /** Where the service is reached, without a trailing slash. */
  readonly baseUrl: string;
  readonly keyring: () => Promise<Keyring>;
  readonly doubtWindowMs: number;
  readonly keyRetentionMs: number;
  readonly claim: (claim: Claim) => Promise<ClaimOutcome>;
  /** What the key was used for. Asked only for a request of which no email can be made. */
  readonly findIdempotencyRecord: (
    organizationId: OrganizationId,
    key: string,
    now: number,
  ) => Promise<IdempotencyRecord | undefined>;
  /** Called for a claimed send only, so that a replay needs no upload that may be gone by then. */
  readonly fetchUpload: FetchUpload;
  readonly provide: EmailProvider;
  readonly commitAcceptance: CommitAcceptance;
  readonly recordLateAcceptance: CommitAcceptance;
  /** Wakes the queue; a failure costs a minute, as the rows are due by then. */
  readonly wakeQueue: (deliveries: readonly Delivery[]) => Promise<void>;
  readonly commitSuppression: (send: Send, now: number) => Promise<Settlement>;
  readonly commitFailure: (send: Send, reason: string, now: number) => Promise<Settlement>;
  readonly ensureContact: (
    organizationId: OrganizationId,
    recipient: EmailAddress,
    now: number,
  ) => Promise<void>;
};

const throttledRetryAfterSeconds = 5;

/**
 * Sends one email, exactly once per idempotency key.
 *
 * Order of effects: claim the key and store the send, hand the email to SES, commit the outcome. A
 * process that dies in between leaves the send `sending` under a lease that lasts for the doubt
 * window. SES's own Send event, which names the send, repairs it meanwhile. When the lease has run
 * out and no such event has come, SES never took the email: a retry sends it under the same id.
 *
 * @throws ServiceError for every answer but 200.
 */
export async function sendEmail(
  command: SendCommand,
  dependencies: SendDependencies,
): Promise<SendResult> {
  const now = dependencies.now();
  const [admitted, keyring] = await Promise.all([
    admit(command.credential, command.request, now, dependencies, command),
    dependencies.keyring(),
  ]);
  command.log.bind({ organizationId: admitted.organization.id });
  const written = await writeEmail(admitted);
  if (!written.ok) return replayOrRefuse(command.endpoint, admitted, written.error, dependencies);

  const admission = { ...admitted, request: written.request };
  const claim = toClaim(command.endpoint, admission, now, dependencies);
  const claimed = await dependencies.claim(claim);
  if (claimed.kind !== 'claimed') return answerUsedKey(claimed, now);

  const attempt = { ...command, admission, keyring, send: claimed.send, claim };
  command.log.bind({ sendId: claimed.send.id });
  return admission.recipients.isToSuppressed
    ? suppress(attempt, dependencies)
    : handOver(attempt, dependencies);
}

function answerUsedKey(
  verdict: Exclude<ClaimOutcome, { kind: 'claimed' }>,
  now: number,
): SendResult {
  switch (verdict.kind) {
    case 'replay':
      return { response: verdict.response, replayed: true };
    case 'in_progress':
      throw inProgress(verdict.retryAt, now);
    case 'key_reused':
      throw keyReused();
  }
}

/**
 * A retry is answered as the first time, even when the template was edited or deleted since, so that
 * no email can be made of it any more. Else the fault is the answer.
 */
async function replayOrRefuse(
  endpoint: SendEndpoint,
  { request, organization }: Admission,
  fault: ServiceError,
  { now, findIdempotencyRecord }: SendDependencies,
): Promise<SendResult> {
  const { idempotencyKey } = request;
  if (idempotencyKey === undefined) throw fault;
  const at = now();
  const record = await findIdempotencyRecord(organization.id, idempotencyKey, at);
  const verdict = record && judgeRecord(record, fingerprintOf(endpoint, request), at);
  if (verdict === undefined || verdict.kind === 'take_over') throw fault;
  return answerUsedKey(verdict, at);
}

/** An admission whose email has its words. */
type WrittenAdmission = Admission & { readonly request: SendRequest };

/** A claimed send on its way. */
type Attempt = SendCommand & {
  readonly admission: WrittenAdmission;
  readonly keyring: Keyring;
  readonly send: Send;
  readonly claim: Claim;
};

function toClaim(
  endpoint: SendEndpoint,
  { apiKey, organization, fromEmail, request, recipients, attachments }: WrittenAdmission,
  now: number,
  { doubtWindowMs, keyRetentionMs }: SendDependencies,
): Claim {
  const id = newSendId(organization.id);
  const addresses = (list: readonly EmailAddress[]) => list.map(({ address }) => address);
  return {
    send: {
      id,
      feedbackId: feedbackIdOf(id),
      status: 'sending',
      fromEmail,
      toEmail: request.to.address,
      cc: addresses(request.cc),
      bcc: addresses(request.bcc),
      subject: request.subject,
      policyKey: request.policyKey,
      idempotencyKey: request.idempotencyKey,
      isReadableById: apiKey.scopes.length === 0,
      suppressedRecipients: [...recipients.suppressed],
      ...templateUseOf(request),
      endpoint,
      ...attachmentUseOf(attachments),
      createdAt: now,
      updatedAt: now,
    },
    fingerprint: fingerprintOf(endpoint, request),
    now,
    leaseExpiresAt: now + doubtWindowMs,
    keyExpiresAt: Math.floor((now + keyRetentionMs) / 1000),
  };
}

function templateUseOf({ template }: SendRequest): Pick<Send, 'templateId' | 'missingVariables'> {
  if (template === undefined) return {};
  const { id: templateId, missingVariables } = template;
  return {
    templateId,
    ...(missingVariables.length > 0 && { missingVariables: [...missingVariables] }),
  };
}

/** The item stays small: most emails have none. */
function attachmentUseOf({
  count: attachmentCount,
  totalBytes: attachmentBytes,
}: AttachmentTotals): Pick<Send, 'attachmentCount' | 'attachmentBytes'> {
  return attachmentCount === 0 ? {} : { attachmentCount, attachmentBytes };
}

async function suppress({ send }: Attempt, dependencies: SendDependencies): Promise<SendResult> {
  const now = dependencies.now();
  const settlement = await dependencies.commitSuppression(send, now);
  // Only an earlier attempt's late acceptance can have been faster: the next retry replays it.
  if (settlement !== 'settled') throw inProgress(now, now);
  return { response: sendResponseOf(send, 'suppressed'), replayed: false };
}

async function handOver(attempt: Attempt, dependencies: SendDependencies): Promise<SendResult> {
  const { admission, send, claim } = attempt;
  const { request, recipients, organization } = admission;
  const attachments = await attachmentsOf(attempt, dependencies);
  const outcome = await dependencies.provide(
    {
      organizationId: organization.id,
      feedbackId: send.feedbackId,
      fromEmail: send.fromEmail,
      to: request.to,
      cc: recipients.cc,
      bcc: recipients.bcc,
      subject: request.subject,
      attachments,
      ...(await contentOf(attempt, dependencies.baseUrl)),
    },
    claim.leaseExpiresAt,
  );
  switch (outcome.kind) {
    case 'accepted':
      return accept(attempt, outcome.providerMessageId, dependencies);
    case 'rejected':
      await fail(attempt, outcome.reason, dependencies);
      throw rejected(outcome.reason);
    case 'throttled':
      await fail(attempt, 'Throttled', dependencies);
      throw throttled();
    case 'unknown':
      throw outcomeUnknown(attempt, outcome.cause, dependencies.now());
  }
}

/** Without its attachments an email does not go out: its send fails, and its key is free again. */
async function attachmentsOf(
  attempt: Attempt,
  dependencies: SendDependencies,
): Promise<OutgoingAttachment[]> {
  try {
    const { attachments } = attempt.admission.request;
    return await loadAttachments(attachments, dependencies.fetchUpload);
  } catch (error) {
    await fail(attempt, 'AttachmentUnavailable', dependencies);
    throw error;
  }
}

function contentOf({ admission, keyring, send }: Attempt, baseUrl: string): Promise<EmailContent> {
  const { organization, request, policy } = admission;
  const contactId = contactIdOf(organization.id, request.to.identity);
  const links = createEmailLinks(keyring, baseUrl, { contactId, feedbackId: send.feedbackId });
  return composeContent(request, organization, policy, links);
}

/** Stores the acceptance. What is only remembered beside it can't fail the send. */
async function accept(
  attempt: Attempt,
  providerMessageId: string,
  dependencies: SendDependencies,
): Promise<SendResult> {
  const { admission, send } = attempt;
  const { organization, request, recipients } = admission;
  const at = dependencies.now();
  const acceptance = { providerMessageId, at };
  const event = { type: 'sent', ts: at, providerMessageId } as const;
  const deliveries = deliveriesOf(
    webhookEventOf(send, event),
    send.feedbackId,
    organization.webhooks,
    at,
  );
  const newContacts = [request.to, ...recipients.cc, ...recipients.bcc].filter(recipients.isNew);

  const beside = Promise.allSettled(
    newContacts.map((contact) => dependencies.ensureContact(organization.id, contact, at)),
  );
  let settlement: Settlement;
  try {
    const { commitAcceptance, recordLateAcceptance } = dependencies;
    settlement = await commitAcceptance(send, acceptance, deliveries);
    if (settlement !== 'settled') await recordLateAcceptance(send, acceptance, deliveries);
  } catch (cause) {
    throw outcomeUnknown(attempt, cause, dependencies.now());
  }
  if (settlement === 'refused') throw rejected('Reject');
  const woken = Promise.allSettled([dependencies.wakeQueue(deliveries)]);
  for (const effect of [...(await beside), ...(await woken)]) {
    if (effect.status === 'rejected') attempt.log.error('side effect failed', effect.reason);
  }
  return { response: sendResponseOf(send, 'sent', providerMessageId), replayed: false };
}

/** Marks the send failed and frees its key; if that fails, the lease's end frees it. */
async function fail(attempt: Attempt, reason: string, dependencies: SendDependencies) {
  try {
    await dependencies.commitFailure(attempt.send, reason, dependencies.now());
  } catch (error) {
    attempt.log.error('failed send not recorded', error, { reason });
  }
}

const keyReused = (): ServiceError =>
  new ServiceError(
    'idempotency_key_reused',
    'This idempotency key was used for a different request. Use a new key for a new email.',
  );

const inProgress = (retryAt: number, now: number): ServiceError =>
  new ServiceError(
    'idempotency_in_progress',
    'A request with this idempotency key is under way, or its outcome is being found out. Wait for Retry-After, then retry with the same key.',
    { retryAfterSeconds: secondsUntil(retryAt, now) },
  );

const rejected = (reason: string): ServiceError =>
  new ServiceError(
    'provider_rejected',
    `The email provider refused the email (${reason}). Nothing was sent, and the idempotency key is free again.`,
  );

const throttled = (): ServiceError =>
  new ServiceError(
    'provider_throttled',
    'The email provider is limiting the sending rate. Nothing was sent; wait for Retry-After and retry with the same key.',
    { retryAfterSeconds: throttledRetryAfterSeconds },
  );

function outcomeUnknown({ send, claim }: Attempt, cause: unknown, now: number): ServiceError {
  if (send.idempotencyKey === undefined) {
    const detail =
      'The email may or may not have been sent. Without an idempotency key a retry may send it twice; read the timeline first.';
    return new ServiceError('provider_outcome_unknown', detail, { cause });
  }
  return new ServiceError(
    'provider_outcome_unknown',
    'The email may or may not have been sent. Wait for Retry-After and retry with the same key: it is then sent at most once.',
    { cause, retryAfterSeconds: secondsUntil(claim.leaseExpiresAt, now) },
  );
}
