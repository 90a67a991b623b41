import { isResendEvent, resendEventNames } from '#shared/organizations/webhook-subscriptions';
import type {
  EmailEventData,
  EmailWebhookEvent,
  SuppressionEventData,
  WebhookEvent,
} from './webhook-event.ts';

/** @returns `undefined` if Resend has no message for the event. */
export function resendMessage(event: WebhookEvent): string | undefined {
  const { type, at } = event;
  if (!isResendEvent(type)) return undefined;
  const data = dataOf(event);
  return data && printed(resendEventNames[type], at, data);
}

function dataOf(event: WebhookEvent) {
  if (event.send !== undefined) return emailOf(event);
  const isOfSuppression =
    event.type === 'suppression.added' || event.type === 'suppression.removed';
  return isOfSuppression ? suppressionOf(event.data) : undefined;
}

/** Sent on request. Resend's own tests come only from its dashboard. */
export const resendTestMessage = (webhookId: string, at: number): string =>
  printed('webhook.test', at, { webhook_id: webhookId });

const printed = (type: string, at: number, data: object): string =>
  JSON.stringify({ type, created_at: timeOf(at), data });

const timeOf = (at: number): string => new Date(at).toISOString();

function emailOf({ type, at, data, send }: EmailWebhookEvent) {
  const { sendId, messageId, to, allTo = [to], cc, subject, recipients = [] } = data;
  const { from, createdAt, templateId, tags } = send;
  return {
    email_id: sendId,
    ...(messageId !== undefined && { message_id: messageId }),
    created_at: timeOf(createdAt),
    from,
    // The recipients it happened to, or everyone if none are named.
    to: recipients.length > 0 ? recipients.map((one) => one.email) : allTo,
    ...(cc !== undefined && { cc }),
    subject,
    ...(templateId !== undefined && { template_id: templateId }),
    ...(tags !== undefined && { tags }),
    ...factsOf(type, at, data),
  };
}

function factsOf(type: EmailWebhookEvent['type'], at: number, email: EmailEventData): object {
  switch (type) {
    case 'email.bounced':
      return { bounce: bounceOf(email) };
    case 'email.clicked':
      // We don't keep address and browser.
      return {
        click: { ipAddress: '', link: email.url ?? '', timestamp: timeOf(at), userAgent: '' },
      };
    case 'email.failed':
      return { failed: { reason: email.reason ?? 'unknown' } };
    case 'email.suppressed':
      return { suppressed: suppressedOf(email) };
    default:
      return {};
  }
}

function bounceOf({ reason = '', recipients = [] }: EmailEventData) {
  // A decision of SES itself is one word of ours (`bounce-kinds.ts`). Resend has this type for it.
  const isDrop = reason !== '' && !reason.includes('/');
  const [kind, subKind] = isDrop ? ['Permanent', 'Suppressed'] : reason.split('/');
  const diagnosticCode = diagnosticsOf(recipients);
  const meaning = isDrop
    ? 'Amazon SES did not send the email: the address is on a suppression list of its own, or SES considers it invalid.'
    : 'The recipient’s server refused the email.';
  return {
    type: kind || 'Undetermined',
    subType: subKind || 'Undetermined',
    message: diagnosticCode[0] ?? meaning,
    diagnosticCode,
  };
}

const diagnosticsOf = (recipients: NonNullable<EmailEventData['recipients']>): string[] =>
  recipients.flatMap(({ diagnostic }) => diagnostic ?? []);

const causes: Readonly<Record<string, { readonly reason?: string; readonly message: string }>> = {
  bounce: { reason: 'previous_bounce', message: 'An earlier email to the address bounced.' },
  complaint: {
    reason: 'previous_complaint',
    message: 'The address has reported an earlier email as spam.',
  },
};

function suppressedOf({ suppressedRecipients = [] }: EmailEventData) {
  const [first] = suppressedRecipients;
  const cause = causes[first?.reason ?? ''];
  return {
    type: 'OnAccountSuppressionList',
    message: cause?.message ?? `The address is suppressed: ${first?.reason ?? 'by hand'}.`,
    ...(cause?.reason !== undefined && { reason: cause.reason }),
    diagnosticCode: [],
  };
}

/** Resend has three origins, and doesn't count unsubscribing as suppression. */
const origins: ReadonlySet<string> = new Set(['bounce', 'complaint', 'manual']);

function suppressionOf({ contactId, email, reason, at }: SuppressionEventData) {
  if (email === undefined || !origins.has(reason)) return undefined;
  return {
    id: `${reason}-${contactId}`,
    email,
    origin: reason,
    source_id: null,
    created_at: timeOf(at),
  };
}
