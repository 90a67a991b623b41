import { sendingEnvironment } from '#shared/config/environment';
import { exampleIds, exampleTime } from '#shared/endpoints/example-values';
import { longestAheadDays } from './later/waiting.ts';
import { sendBodySchema, sendHeadersSchema } from './request/send-request.ts';
import { sendAnswerSchema } from './send.ts';
import { optionWords } from './send-reference.ts';

export const sendDeclaration = {
  access: { key: 'required', scope: 'send_email', takesTestKeys: true },
  headers: sendHeadersSchema,
  body: sendBodySchema,
  answers: {
    200: {
      body: sendAnswerSchema,
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
    202: {
      body: sendAnswerSchema,
      description:
        'The email is stored, and goes out at its moment or through the queue. So far it is `scheduled`, `queued` or `sending`.',
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
    // Attachments are in memory several times: decoded, in the request to SES, kept. The largest email takes 620 MB.
    memoryMegabytes: 1024,
  },
} as const;

const { reservation: _, ...unreserved } = sendDeclaration.lambda;

/**
 * Functions for callers of another service's API reserve no concurrency: a deployment that has reserved all it can
 * would have to give some back for routes that it may not use.
 */
export const unreservedSending = unreserved;

export const sendWords = {
  section: 'Emails',
  fields: {
    ...optionWords,
    from: 'The sender: any address of an active domain of yours, with a name if you like, such as `Northwind <billing@northwind.example>`. Default: the organization’s From identity.',
    to: 'One address, or several as a list: one email that shows them all. Each with a name if you like, such as `Ann <ann@example.com>`, which the email shows, too.',
    content: 'The text body. Without it, the email gets the text of `htmlContent`.',
    sendAt: `When the email goes out: epoch milliseconds, or ISO 8601 with a time zone; up to ${longestAheadDays} days ahead, and within a minute of it. A time in the past means now. Suppressions, pause, domain and limits are judged then.`,
    mode: '`queued`: the email is stored, and workers send it; the answer doesn’t wait for SES. While SES throttles or can’t be reached they try again, for an hour by default. Default: `synchronous`.',
    status:
      '`sent`: SES took the email. `suppressed`: no email went out, see `suppressedRecipients`. `scheduled`, `queued`, `sending`: it goes out by itself. `canceled`: it was called off.',
    messageId:
      'SES’s id of the message. Absent when `status` is `suppressed`, and in a replay of a send that so far only a fetch of its pixel or links proves.',
  },
} as const;
