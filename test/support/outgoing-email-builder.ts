import type { OutgoingEmail } from '#shared/email/email-provider';
import { feedbackIdOf, newOrganizationId } from '#shared/tokens/resource-id';
import { buildEmailAddress } from './email-address-builder.ts';
import { newSendId } from './send-builder.ts';

/** An email to one recipient, in plain text. */
export function buildOutgoingEmail(overrides: Partial<OutgoingEmail> = {}): OutgoingEmail {
  const organizationId = newOrganizationId();
  return {
    organizationId,
    feedbackId: feedbackIdOf(newSendId(organizationId)),
    tenantName: undefined,
    fromEmail: 'hello@mail.example.com',
    senderName: undefined,
    replyTo: [],
    to: [buildEmailAddress('ann@example.com')],
    cc: [],
    bcc: [],
    subject: 'Your receipt',
    text: 'Thank you.',
    html: undefined,
    headers: [],
    attachments: [],
    isShedFirst: false,
    ...overrides,
  };
}
