import { sendingEnvironment } from '#shared/config/environment';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { sendBodySchema, sendHeadersSchema } from './request/send-request.ts';
import { sendAnswerSchema } from './send.ts';

export const sendDeclaration = {
  access: { key: 'required', scope: 'send_email', takesTestKeys: true },
  headers: sendHeadersSchema,
  body: sendBodySchema,
  answers: {
    200: {
      body: sendAnswerSchema,
      description:
        'SES accepted the email, or the address is suppressed, or this is an earlier answer.',
      example: {
        sendId: exampleIds.send,
        status: 'sent',
        messageId: '0100018c2f6b6e5c-1f8b6a0e-000000',
        reused: false,
      },
      headers: ['Idempotency-Replayed'],
    },
    202: {
      body: sendAnswerSchema,
      description:
        'The email is stored and goes out on its own. For now it’s `scheduled`, `queued` or `sending`.',
      example: {
        sendId: exampleIds.send,
        status: 'scheduled',
        sendAt: exampleTime,
        reused: false,
      },
      headers: ['Idempotency-Replayed'],
    },
  },
  answerHeaders: [
    'Idempotency-Key',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
  ],
  errors: [
    'unknown_policy',
    'bulk_needs_one_recipient',
    'recipients_exceed_cap',
    'organization_rate_limited',
    'daily_recipients_exhausted',
    'waiting_limit_reached',
    'too_many',
    'invalid_base64',
    'unknown_upload',
    'attachment_not_fetched',
    'slow_fetch_limit_reached',
    'plan_required',
    'tenant_paused',
    'no_active_identity',
    'from_not_allowed',
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
  lambda: {
    environment: sendingEnvironment,
    tableActions: ['BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'],
    sendsEmail: true,
    sendsTestEmail: true,
    attachmentsBucket: 'get',
    contents: { waiting: ['Put', 'Delete'], kept: ['Put'] },
    wakesSendQueue: true,
    wakesWebhookQueue: true,
    reservation: 'sending',
    readsSecrets: ['tokenSigningKey'],
    holdsLargestEmail: true,
  },
} as const;

const { reservation: _, ...unreserved } = sendDeclaration.lambda;

/**
 * Functions for another service's API reserve no concurrency: a deployment that has reserved all it can would have to
 * give some back for routes that it may never use.
 */
export const unreservedSending = unreserved;
