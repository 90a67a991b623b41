import type {
  EmailEventData,
  EmailEventType,
  EmailWebhookEvent,
} from '#shared/deliveries/webhook-event';
import { nothingElse } from '#shared/errors/nothing-else';
import type { Event } from '#shared/events/event';
import { type Acceptance, type FailedAttempt, firstMailedOf, type Send, toOf } from './send.ts';

type Reported = Pick<
  Send,
  | 'id'
  | 'fromEmail'
  | 'fromName'
  | 'toEmail'
  | 'moreTo'
  | 'suppressedRecipients'
  | 'cc'
  | 'subject'
  | 'policyKey'
  | 'templateId'
  | 'tags'
  | 'metadata'
  | 'test'
  | 'createdAt'
>;

type Facts = Omit<
  EmailEventData,
  'sendId' | 'to' | 'allTo' | 'cc' | 'subject' | 'policyKey' | 'test' | 'tags' | 'metadata'
>;

const emailEvent = (
  send: Reported,
  type: EmailEventType,
  key: string,
  at: number,
  { messageId, ...facts }: Facts = {},
): EmailWebhookEvent => {
  const { id, toEmail, moreTo, cc, subject, policyKey, templateId, tags, metadata, test } = send;
  const { fromEmail, fromName, createdAt } = send;
  return {
    type,
    key,
    at,
    data: {
      sendId: id,
      ...(messageId !== undefined && { messageId }),
      to: firstMailedOf(send),
      ...(moreTo.length > 0 && { allTo: toOf({ toEmail, moreTo }) }),
      ...(cc.length > 0 && { cc }),
      subject,
      policyKey,
      ...(test && { test }),
      ...facts,
      ...(hasMembers(tags) && { tags }),
      ...(hasMembers(metadata) && { metadata }),
    },
    send: {
      tags,
      templateId,
      from: fromName === undefined ? fromEmail : `${fromName} <${fromEmail}>`,
      createdAt,
    },
  };
};

const hasMembers = (record: object = {}): boolean => Object.keys(record).length > 0;

/** What webhooks report of an event in a send's timeline. */
export function webhookEventOf(
  send: Reported,
  { type, ts, providerMessageId, reason, recipients, url, machine, hits: _, ...rest }: Event,
): EmailWebhookEvent {
  nothingElse(rest);
  const key = [type, providerMessageId, url, machine].join(' ');
  return emailEvent(send, `email.${type}`, key, ts, {
    ...(providerMessageId !== undefined && { messageId: providerMessageId }),
    ...(reason !== undefined && { reason }),
    ...(recipients !== undefined && { recipients }),
    ...(url !== undefined && { url }),
    ...(machine !== undefined && { machine }),
  });
}

/** What webhooks report of a message that SES accepted. */
export const sentEventOf = (send: Send, { providerMessageId, at }: Acceptance): EmailWebhookEvent =>
  webhookEventOf(send, { type: 'sent', ts: at, providerMessageId });

/** A send that waits for its time. A new time is a new event. */
export const scheduledEventOf = (send: Send, sendAt: number, now: number): EmailWebhookEvent =>
  emailEvent(send, 'email.scheduled', `scheduled ${sendAt}`, now, {
    sendAt: new Date(sendAt).toISOString(),
  });

/** A send that waits for a worker. */
export const queuedEventOf = (send: Send, dueAt: number, now: number): EmailWebhookEvent =>
  emailEvent(send, 'email.queued', `queued ${dueAt}`, now);

/** A send that was called off: it isn't sent. */
export const canceledEventOf = (send: Send, now: number): EmailWebhookEvent =>
  emailEvent(send, 'email.canceled', 'canceled', now);

/** A send whose `to` address is suppressed: it isn't sent. */
export const suppressedEventOf = (send: Send): EmailWebhookEvent =>
  emailEvent(send, 'email.suppressed', `suppressed ${send.attempt}`, send.claimedAt, {
    suppressedRecipients: send.suppressedRecipients,
  });

/**
 * A send that SES refused, or that was given up: only a new request of its caller will try it again. Not one whose
 * caller was told to repeat the request, as when SES throttles.
 *
 * @param failure of the attempt that was the last.
 */
export const failedEventOf = (
  send: Send,
  { at, reason, providerMessageId }: Omit<FailedAttempt, 'attempt'>,
): EmailWebhookEvent =>
  emailEvent(send, 'email.failed', ['failed', send.attempt, providerMessageId].join(' '), at, {
    ...(providerMessageId !== undefined && { messageId: providerMessageId }),
    reason,
  });
