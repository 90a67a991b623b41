import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';

/** What the reference tells of both endpoints that send. */
export const sendReference = {
  section: 'Emails',
  access: { key: 'required', scope: 'send_email' },
  fields: {
    content: 'The text body. Without it, the email gets the text of `htmlContent`.',
    status:
      '`sent`: SES took the email. `suppressed`: no email went out, see `suppressedRecipients`.',
    messageId:
      'SES’s id of the message. Absent when `status` is `suppressed`, and in a replay of a send that so far only a fetch of its pixel or links proves.',
  },
  answers: {
    200: {
      description:
        'SES took the email, or the address is suppressed, or this is an earlier answer.',
      example: {
        sendId: exampleIds.send,
        status: 'sent',
        messageId: '0100018c2f6b6e5c-1f8b6a0e-000000',
        reused: false,
      },
      headers: ['Idempotency-Replayed'],
    },
  },
  headers: ['Idempotency-Key', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  errors: [
    'unknown_policy',
    'bulk_needs_one_recipient',
    'recipients_exceed_cap',
    'organization_rate_limited',
    'daily_recipients_exhausted',
    'too_many',
    'invalid_base64',
    'unknown_upload',
    'plan_required',
    'tenant_paused',
    'no_active_identity',
    'template_not_found',
    'idempotency_in_progress',
    'too_large',
    'rendered_too_large',
    'idempotency_key_reused',
    'rate_limited',
    'provider_throttled',
    'provider_rejected',
    'provider_unreachable',
    'provider_outcome_unknown',
  ],
} as const satisfies Partial<EndpointReference>;

/** A send in the examples of the reference. */
export const exampleSend = {
  _id: exampleIds.send,
  status: 'sent',
  fromEmail: 'hello@northwind.example',
  toEmail: 'ann@example.com',
  cc: [],
  bcc: [],
  subject: 'Welcome',
  policyKey: 'transactional',
  idempotencyKey: 'welcome-ann',
  suppressedRecipients: [],
  endpoint: 'send',
  createdAt: exampleTime,
  updatedAt: exampleTime + 240,
} as const;
