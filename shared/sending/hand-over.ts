import type { OutgoingAttachment } from '#shared/attachments/attachment';
import { loadAttachments } from '#shared/attachments/load-attachments';
import type { FetchUpload } from '#shared/attachments/upload';
import type { EmailAddress } from '#shared/contacts/email-address';
import type { RequestLog } from '#shared/observability/request-log';
import { contactIdOf, type OrganizationId } from '#shared/tokens/resource-id';
import type { Keyring } from '#shared/tokens/signed-token';
import type { Delivery } from '#shared/webhooks/delivery';
import { deliveriesOf } from '#shared/webhooks/outbox';
import type { Claim } from './claim-store.ts';
import { composeContent, type EmailContent } from './email-content.ts';
import { createEmailLinks } from './email-links.ts';
import type { EmailProvider } from './email-provider.ts';
import type { WrittenAdmission } from './new-claim.ts';
import { type Send, type SendResponse, sendResponseOf } from './send.ts';
import { outcomeUnknown, rejected, throttled } from './send-refusals.ts';
import { webhookEventOf } from './send-webhook-event.ts';
import type { CommitAcceptance, Settlement } from './settlement-store.ts';

/** A claimed send on its way. */
export type Attempt = {
  readonly admission: WrittenAdmission;
  readonly keyring: Keyring;
  /** As claimed: a retry goes on under the id of the first. */
  readonly claim: Claim;
  readonly log: RequestLog;
};

export type HandOverDependencies = {
  readonly now: () => number;
  /** Where the service is reached, without a trailing slash. */
  readonly baseUrl: string;
  /** Called for a claimed send only, so that a replay needs no upload that may be gone by then. */
  readonly fetchUpload: FetchUpload;
  readonly provide: EmailProvider;
  readonly commitAcceptance: CommitAcceptance;
  readonly recordLateAcceptance: CommitAcceptance;
  readonly commitFailure: (send: Send, reason: string, now: number) => Promise<Settlement>;
  /** Wakes the queue; a failure costs a minute, as the rows are due by then. */
  readonly wakeQueue: (deliveries: readonly Delivery[]) => Promise<void>;
  readonly ensureContact: (
    organizationId: OrganizationId,
    recipient: EmailAddress,
    now: number,
  ) => Promise<void>;
};

/**
 * Hands a claimed email to SES and commits what became of it.
 *
 * @throws ServiceError when it was not sent, or nobody knows.
 */
export async function handOver(
  attempt: Attempt,
  dependencies: HandOverDependencies,
): Promise<SendResponse> {
  const { admission, claim } = attempt;
  const { send } = claim;
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
      throw outcomeUnknown(claim, outcome.cause, dependencies.now());
  }
}

/** Without its attachments an email does not go out: its send fails, and its key is free again. */
async function attachmentsOf(
  attempt: Attempt,
  dependencies: HandOverDependencies,
): Promise<OutgoingAttachment[]> {
  try {
    const { attachments } = attempt.admission.request;
    return await loadAttachments(attachments, dependencies.fetchUpload);
  } catch (error) {
    await fail(attempt, 'AttachmentUnavailable', dependencies);
    throw error;
  }
}

function contentOf({ admission, keyring, claim }: Attempt, baseUrl: string): Promise<EmailContent> {
  const { organization, request, policy } = admission;
  const { feedbackId } = claim.send;
  const contactId = contactIdOf(organization.id, request.to.identity);
  const links = createEmailLinks(keyring, baseUrl, { contactId, feedbackId });
  return composeContent(request, organization, policy, links);
}

/** Stores the acceptance. What is only remembered beside it can't fail the send. */
async function accept(
  attempt: Attempt,
  providerMessageId: string,
  dependencies: HandOverDependencies,
): Promise<SendResponse> {
  const { admission, claim } = attempt;
  const { send } = claim;
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
    throw outcomeUnknown(claim, cause, dependencies.now());
  }
  if (settlement === 'refused') throw rejected('Reject');
  const woken = Promise.allSettled([dependencies.wakeQueue(deliveries)]);
  for (const effect of [...(await beside), ...(await woken)]) {
    if (effect.status === 'rejected') attempt.log.error('side effect failed', effect.reason);
  }
  return sendResponseOf(send, 'sent', providerMessageId);
}

/** Marks the send failed and frees its key; if that fails, the lease's end frees it. */
async function fail(attempt: Attempt, reason: string, dependencies: HandOverDependencies) {
  try {
    await dependencies.commitFailure(attempt.claim.send, reason, dependencies.now());
  } catch (error) {
    attempt.log.error('failed send not recorded', error, { reason });
  }
}
