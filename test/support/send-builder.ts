import type { Send } from '#shared/sending/send';
import {
  feedbackIdOf,
  newNonce,
  newOrganizationId,
  type OrganizationId,
  type SendId,
  sendIdOf,
  slotIdOf,
} from '#shared/tokens/resource-id';
import { farExpiry } from './delivery-builder.ts';

/** How long an attempt's outcome may be unknown. */
export const doubtWindowMs = 300_000;

/** The id of a new send without an idempotency key. */
export const newSendId = (organizationId: OrganizationId): SendId =>
  sendIdOf(slotIdOf(organizationId, undefined), newNonce());

/** A send that was claimed a moment ago, without an idempotency key. */
export function buildSend(overrides: Partial<Send> = {}): Send {
  const id = overrides.id ?? newSendId(newOrganizationId());
  const claimedAt = overrides.claimedAt ?? 1_700_000_000_000;
  return {
    id,
    feedbackId: feedbackIdOf(id),
    status: 'sending',
    attempt: 1,
    claimId: newNonce(),
    claimedAt,
    leaseExpiresAt: claimedAt + doubtWindowMs,
    attempts: [],
    fingerprint: 'request-1',
    fromEmail: 'hello@mail.example.com',
    toEmail: 'ann@example.com',
    moreTo: [],
    cc: [],
    bcc: [],
    subject: 'Your receipt',
    policyKey: 'transactional',
    isReadableById: true,
    suppressedRecipients: [],
    endpoint: 'send',
    createdAt: claimedAt,
    updatedAt: claimedAt,
    expiresAt: farExpiry,
    ...overrides,
  };
}
