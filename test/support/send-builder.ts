import type { Send } from '#shared/sending/send';
import { feedbackIdOf, newOrganizationId, newSendId } from '#shared/tokens/resource-id';

/** A send that was claimed a moment ago, without an idempotency key. */
export function buildSend(overrides: Partial<Send> = {}): Send {
  const id = overrides.id ?? newSendId(newOrganizationId());
  return {
    id,
    feedbackId: feedbackIdOf(id),
    status: 'sending',
    fromEmail: 'hello@mail.example.com',
    toEmail: 'ann@example.com',
    cc: [],
    bcc: [],
    subject: 'Your receipt',
    policyKey: 'transactional',
    isReadableById: true,
    suppressedRecipients: [],
    createdAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_000,
    ...overrides,
  };
}
