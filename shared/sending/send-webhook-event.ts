import type { WebhookEvent } from '#shared/deliveries/outbox';
import { nothingElse } from '#shared/errors/nothing-else';
import type { Event } from '#shared/events/event';
import type { Acceptance, Send } from './send.ts';

/** What webhooks report of an event in a send's timeline. */
export function webhookEventOf(
  { id, toEmail, subject, policyKey }: Pick<Send, 'id' | 'toEmail' | 'subject' | 'policyKey'>,
  { type, ts, providerMessageId, reason, recipients, url, machine, hits: _, ...rest }: Event,
): WebhookEvent {
  nothingElse(rest);
  return {
    type: `email.${type}`,
    key: [type, providerMessageId, url, machine].join(' '),
    at: ts,
    data: {
      sendId: id,
      ...(providerMessageId !== undefined && { messageId: providerMessageId }),
      to: toEmail,
      subject,
      policyKey,
      ...(reason !== undefined && { reason }),
      ...(recipients !== undefined && { recipients }),
      ...(url !== undefined && { url }),
      ...(machine !== undefined && { machine }),
    },
  };
}

/** What webhooks report of a message that SES accepted. */
export const sentEventOf = (send: Send, { providerMessageId, at }: Acceptance): WebhookEvent =>
  webhookEventOf(send, { type: 'sent', ts: at, providerMessageId });
