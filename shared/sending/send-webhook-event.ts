import { nothingElse } from '#shared/errors/nothing-else';
import type { Event } from '#shared/events/event';
import type {
  EmailEventFacts,
  EmailEventType,
  EmailWebhookEvent,
} from '#shared/webhook-deliveries/webhook-event';
import {
  type Acceptance,
  type FailedAttempt,
  firstMailedOf,
  fromOf,
  type Send,
  toOf,
} from './send.ts';
import { type ReportedOptions, reportedOptionNames } from './send-options.ts';

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
  | 'test'
  | 'createdAt'
  | 'providerMessageId'
> &
  ReportedOptions;

const emailEvent = (
  send: Reported,
  type: EmailEventType,
  key: string,
  at: number,
  { messageId, ...facts }: EmailEventFacts = {},
): EmailWebhookEvent => {
  const { moreTo, cc } = send;
  const repeated = repeatedIn(send);
  return {
    type,
    key,
    at,
    data: {
      sendId: send.id,
      messageId,
      to: firstMailedOf(send),
      allTo: moreTo.length > 0 ? toOf(send) : undefined,
      cc: cc.length > 0 ? cc : undefined,
      subject: send.subject,
      policyKey: send.policyKey,
      test: send.test,
      ...facts,
      ...repeated,
    },
    send: {
      tags: repeated.tags,
      templateId: send.templateId,
      from: fromOf(send),
      createdAt: send.createdAt,
    },
  };
};

const repeatedIn = (send: ReportedOptions): ReportedOptions =>
  Object.fromEntries(
    reportedOptionNames.map((name) => [name, isEmpty(send[name]) ? undefined : send[name]]),
  );

const isEmpty = (value: unknown): boolean =>
  value instanceof Object && Object.keys(value).length === 0;

export function webhookEventOf(
  send: Reported,
  { type, ts, providerMessageId, reason, recipients, url, machine, hits: _, ...rest }: Event,
  verdict?: EmailEventFacts['verdict'],
): EmailWebhookEvent {
  nothingElse(rest);
  const key = [type, providerMessageId, url, machine].join(' ');
  return emailEvent(send, `email.${type}`, key, ts, {
    // Hits don't know it.
    messageId: providerMessageId ?? send.providerMessageId,
    reason,
    recipients,
    verdict,
    url,
    machine,
  });
}

export const sentEventOf = (send: Send, { providerMessageId, at }: Acceptance): EmailWebhookEvent =>
  webhookEventOf(send, { type: 'sent', ts: at, providerMessageId });

/** Each new time is a new event, even one that it had before: a change of time is a claim of its own. */
export const scheduledEventOf = (send: Send, sendAt: number, now: number): EmailWebhookEvent =>
  emailEvent(send, 'email.scheduled', `scheduled ${sendAt} ${send.claimId}`, now, {
    sendAt: new Date(sendAt).toISOString(),
  });

export const queuedEventOf = (send: Send, dueAt: number, now: number): EmailWebhookEvent =>
  emailEvent(send, 'email.queued', `queued ${dueAt}`, now);

export const canceledEventOf = (send: Send, now: number): EmailWebhookEvent =>
  emailEvent(send, 'email.canceled', 'canceled', now);

export const suppressedEventOf = (send: Send): EmailWebhookEvent =>
  emailEvent(send, 'email.suppressed', `suppressed ${send.attempt}`, send.claimedAt, {
    suppressedRecipients: send.suppressedRecipients,
  });

/**
 * SES refused the send, or it was given up: only a new request will try it again. Not used if the caller was asked to
 * repeat the request, as when SES throttles.
 *
 * @param failure the last attempt's.
 */
export const failedEventOf = (
  send: Send,
  { at, reason, providerMessageId }: Omit<FailedAttempt, 'attempt'>,
): EmailWebhookEvent =>
  emailEvent(send, 'email.failed', ['failed', send.attempt, providerMessageId].join(' '), at, {
    messageId: providerMessageId,
    reason,
  });
