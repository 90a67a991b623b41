import type { AttachmentTotals } from '#shared/attachments/admit-attachments';
import type { EmailAddress } from '#shared/contacts/email-address';
import { untrackedBy } from '#shared/email/compose-email';
import { retentionDaysOf } from '#shared/organizations/organization';
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
import type { Admission } from './admission.ts';
import { newRecipientsOf } from './apply-policy.ts';
import { fingerprintOf } from './idempotency.ts';
import { keepingNoteOf } from './kept-content.ts';
import { replyToOf, type SendRequest } from './request/send-request.ts';
import type { Send, SendEndpoint } from './send.ts';
import { optionsOf } from './send-options.ts';

export type FilledAdmission = Admission & { readonly request: SendRequest };

type ClaimSettings = {
  /** When a retry may take over an attempt in doubt: see `send-email.ts`. */
  readonly doubtWindowMs: number;
  /** An organization may keep its sends for fewer days. */
  readonly sendRetentionDays: number;
};

/**
 * If its slot is taken, a retry continues with the stored send. A suppressed send needs nothing but its claim. `now` is
 * in epoch milliseconds.
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

/** An email of the service itself has no API key, and a slot out of reach of requests. */
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

/** Absent in most items: few organizations turn tracking off. */
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

/** Absent in most items: most emails have no attachment. */
function attachmentUseOf({
  count: attachmentCount,
  totalBytes: attachmentBytes,
}: AttachmentTotals): Pick<Send, 'attachmentCount' | 'attachmentBytes'> {
  return attachmentCount === 0 ? {} : { attachmentCount, attachmentBytes };
}
