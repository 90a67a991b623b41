import type { SendRequest } from '#shared/sending/request/send-request';
import { buildEmailAddress } from './email-address-builder.ts';

/** A checked request with the three required fields only. */
export const buildSendRequest = (overrides: Partial<SendRequest> = {}): SendRequest => ({
  to: buildEmailAddress('ann@example.com'),
  moreTo: [],
  cc: [],
  bcc: [],
  subject: 'Your receipt',
  content: 'Thank you.',
  htmlContent: undefined,
  policyKey: 'transactional',
  attachments: [],
  idempotencyKey: undefined,
  ...overrides,
});
