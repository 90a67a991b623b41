import * as z from 'zod/mini';
import { isResendEvent, resendEventNames } from '#shared/organizations/webhook-subscriptions';

/** What a message in Resend's form says of an email beyond ours. */
export type EmailOfEvent = {
  readonly from: string;
  /** When the email was asked for, epoch milliseconds. */
  readonly createdAt: number;
  readonly templateId?: string | undefined;
};

/** What ours says. Facts that an event hasn't are absent. */
const emailDataSchema = z.object({
  sendId: z.string(),
  messageId: z.optional(z.string()),
  to: z.string(),
  allTo: z.optional(z.array(z.string())),
  cc: z.optional(z.array(z.string())),
  subject: z.string(),
  tags: z.optional(z.record(z.string(), z.string())),
  reason: z.optional(z.string()),
  recipients: z.optional(
    z.array(z.object({ email: z.string(), diagnostic: z.optional(z.string()) })),
  ),
  url: z.optional(z.string()),
  suppressedRecipients: z.optional(z.array(z.object({ email: z.string(), reason: z.string() }))),
});
type EmailData = z.output<typeof emailDataSchema>;

const suppressionDataSchema = z.object({
  contactId: z.string(),
  email: z.optional(z.string()),
  reason: z.string(),
  at: z.int(),
});

type Reported = {
  readonly type: Parameters<typeof isResendEvent>[0];
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
  readonly send?: EmailOfEvent;
};

/**
 * The body of a message as Resend sends it.
 *
 * @returns `undefined` for what Resend has no message for.
 */
export function resendMessage({ type, at, data, send }: Reported): string | undefined {
  if (!isResendEvent(type)) return undefined;
  const told = send === undefined ? suppressionOf(data) : emailOf(type, at, data, send);
  return told && printed(resendEventNames[type], at, told);
}

/** The body of a message that somebody asked for. Resend's own tests come from its dashboard only. */
export const resendTestMessage = (webhookId: string, at: number): string =>
  printed('webhook.test', at, { webhook_id: webhookId });

const printed = (type: string, at: number, data: object): string =>
  JSON.stringify({ type, created_at: timeOf(at), data });

const timeOf = (at: number): string => new Date(at).toISOString();

function emailOf(
  type: string,
  at: number,
  data: object,
  { from, createdAt, templateId }: EmailOfEvent,
) {
  const email = emailDataSchema.parse(data);
  const { sendId, messageId, to, allTo = [to], cc, subject, tags, recipients = [] } = email;
  return {
    email_id: sendId,
    ...(messageId !== undefined && { message_id: messageId }),
    created_at: timeOf(createdAt),
    from,
    // Whom it happened to, where that isn't everybody.
    to: recipients.length > 0 ? recipients.map((one) => one.email) : allTo,
    ...(cc !== undefined && { cc }),
    subject,
    ...(templateId !== undefined && { template_id: templateId }),
    ...(tags !== undefined && { tags }),
    ...factsOf(type, at, email),
  };
}

function factsOf(type: string, at: number, email: EmailData): object {
  switch (type) {
    case 'email.bounced':
      return { bounce: bounceOf(email) };
    case 'email.clicked':
      // Nobody's address and browser are kept.
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

function bounceOf({ reason = '', recipients = [] }: EmailData) {
  const [kind, subKind] = reason.split('/');
  const diagnosticCode = diagnosticsOf(recipients);
  return {
    type: kind || 'Undetermined',
    subType: subKind || 'Undetermined',
    message: diagnosticCode[0] ?? 'The recipient’s server refused the email.',
    diagnosticCode,
  };
}

const diagnosticsOf = (recipients: NonNullable<EmailData['recipients']>): string[] =>
  recipients.flatMap(({ diagnostic }) => diagnostic ?? []);

const causes: Readonly<Record<string, { readonly reason?: string; readonly message: string }>> = {
  bounce: { reason: 'previous_bounce', message: 'An earlier email to the address bounced.' },
  complaint: {
    reason: 'previous_complaint',
    message: 'The address has reported an earlier email as spam.',
  },
};

function suppressedOf({ suppressedRecipients = [] }: EmailData) {
  const [first] = suppressedRecipients;
  const cause = causes[first?.reason ?? ''];
  return {
    type: 'OnAccountSuppressionList',
    message: cause?.message ?? `The address is suppressed: ${first?.reason ?? 'by hand'}.`,
    ...(cause?.reason !== undefined && { reason: cause.reason }),
    diagnosticCode: [],
  };
}

/** Resend knows three origins. That a person unsubscribed is no suppression there. */
const origins: ReadonlySet<string> = new Set(['bounce', 'complaint', 'manual']);

function suppressionOf(data: object) {
  const { contactId, email, reason, at } = suppressionDataSchema.parse(data);
  if (email === undefined || !origins.has(reason)) return undefined;
  return {
    id: `${reason}-${contactId}`,
    email,
    origin: reason,
    source_id: null,
    created_at: timeOf(at),
  };
}
