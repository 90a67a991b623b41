import type { AttachmentTotals } from '#shared/attachments/admit-attachments';
import type { EmailAddress } from '#shared/contacts/email-address';
import { feedbackIdOf, newSendId } from '#shared/tokens/resource-id';
import type { Admission } from './admission.ts';
import type { Claim } from './claim-store.ts';
import { fingerprintOf } from './idempotency.ts';
import type { Send, SendEndpoint } from './send.ts';
import type { SendRequest } from './send-request.ts';

/** An admission whose email has its words. */
export type WrittenAdmission = Admission & { readonly request: SendRequest };

export type ClaimSettings = {
  readonly doubtWindowMs: number;
  readonly keyRetentionMs: number;
};

/**
 * The claim of a new send, under an id of its own. A retry's claim is one too: who finds the key used goes
 * on with the send that is there. `now` in epoch milliseconds.
 */
export function newClaim(
  endpoint: SendEndpoint,
  { apiKey, organization, fromEmail, request, recipients, attachments }: WrittenAdmission,
  now: number,
  { doubtWindowMs, keyRetentionMs }: ClaimSettings,
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
