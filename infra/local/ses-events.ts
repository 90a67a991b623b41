import { randomUUID } from 'node:crypto';
import { type Fate, simulatedFateOf } from './mailbox-simulator.ts';
import { bareAddress, recipientsOf, type SentEmail } from './sent-email.ts';
import { buildSesMail, type SesMail } from './ses-mail.ts';

type Delivery = {
  readonly timestamp: string;
  readonly processingTimeMillis: number;
  readonly recipients: readonly string[];
  readonly smtpResponse: string;
  readonly reportingMTA: string;
};

type Bounce = {
  readonly bounceType: 'Permanent' | 'Transient';
  readonly bounceSubType: 'General' | 'Suppressed';
  readonly bouncedRecipients: readonly {
    readonly emailAddress: string;
    readonly action?: string;
    readonly status?: string;
    readonly diagnosticCode?: string;
  }[];
  readonly timestamp: string;
  readonly feedbackId: string;
  readonly reportingMTA?: string;
};

type Complaint = {
  readonly complainedRecipients: readonly { readonly emailAddress: string }[];
  readonly timestamp: string;
  readonly feedbackId: string;
  readonly complaintSubType: null;
  readonly userAgent: string;
  readonly complaintFeedbackType: string;
  readonly arrivalDate: string;
};

/** What SES publishes to SNS through a configuration set (`eventType`, not `notificationType`). */
export type SesEvent =
  | { readonly eventType: 'Send'; readonly mail: SesMail; readonly send: Record<string, never> }
  | { readonly eventType: 'Delivery'; readonly mail: SesMail; readonly delivery: Delivery }
  | { readonly eventType: 'Bounce'; readonly mail: SesMail; readonly bounce: Bounce }
  | { readonly eventType: 'Complaint'; readonly mail: SesMail; readonly complaint: Complaint };

/**
 * The events SES would publish for the email, in the order in which they come about.
 *
 * @param isListed whether an address is on SES's suppression list of the account.
 */
export function sesEventsOf(
  email: SentEmail,
  now: Date,
  isListed: (address: string) => boolean = () => false,
): SesEvent[] {
  const mail = buildSesMail(email);
  const timestamp = now.toISOString();
  const fateOf = (address: string): Fate =>
    simulatedFateOf(address) ?? (isListed(address) ? 'suppressionlist' : 'success');
  const withFate = (...fates: Fate[]) =>
    recipientsOf(email)
      .map(bareAddress)
      .filter((address) => fates.includes(fateOf(address)));
  const delivered = withFate('success', 'complaint', 'ooto');
  const bounces = [
    hardBounce(withFate('bounce'), timestamp),
    suppressedBounce(withFate('suppressionlist'), timestamp),
  ];
  const complained = withFate('complaint');
  return [
    { eventType: 'Send', mail, send: {} },
    ...(delivered.length > 0
      ? [{ eventType: 'Delivery', mail, delivery: delivery(delivered, email, now) } as const]
      : []),
    ...bounceEvents(mail, bounces),
    ...(complained.length > 0
      ? [{ eventType: 'Complaint', mail, complaint: complaint(complained, timestamp) } as const]
      : []),
    ...bounceEvents(mail, [automaticReply(withFate('ooto'), timestamp)]),
  ];
}

const bounceEvents = (mail: SesMail, bounces: readonly Bounce[]): SesEvent[] =>
  bounces
    .filter(({ bouncedRecipients }) => bouncedRecipients.length > 0)
    .map((bounce) => ({ eventType: 'Bounce', mail, bounce }));

const delivery = (recipients: readonly string[], email: SentEmail, now: Date): Delivery => ({
  timestamp: now.toISOString(),
  processingTimeMillis: now.getTime() - email.sentAt.getTime(),
  recipients,
  smtpResponse: '250 2.6.0 Message received',
  reportingMTA: 'local-twin.smtp-out.amazonses.com',
});

const hardBounce = (recipients: readonly string[], timestamp: string): Bounce => ({
  bounceType: 'Permanent',
  bounceSubType: 'General',
  bouncedRecipients: recipients.map((emailAddress) => ({
    emailAddress,
    action: 'failed',
    status: '5.1.1',
    diagnosticCode: 'smtp; 550 5.1.1 user unknown',
  })),
  timestamp,
  feedbackId: randomUUID(),
  reportingMTA: 'dns; local-twin.smtp-out.amazonses.com',
});

/** For an address on SES's own list: SES answers for the receiver, whom it never asks. */
const suppressedBounce = (recipients: readonly string[], timestamp: string): Bounce => ({
  bounceType: 'Permanent',
  bounceSubType: 'Suppressed',
  bouncedRecipients: recipients.map((emailAddress) => ({
    emailAddress,
    action: 'failed',
    status: '5.1.1',
    diagnosticCode:
      'Amazon SES has suppressed sending to this address because it has a recent history of bouncing as an invalid address.',
  })),
  timestamp,
  feedbackId: randomUUID(),
  reportingMTA: 'dns; amazonses.com',
});

/** An out-of-office reply goes to the return path, where SES can only take it for a soft bounce. */
const automaticReply = (recipients: readonly string[], timestamp: string): Bounce => ({
  bounceType: 'Transient',
  bounceSubType: 'General',
  bouncedRecipients: recipients.map((emailAddress) => ({ emailAddress })),
  timestamp,
  feedbackId: randomUUID(),
});

const complaint = (recipients: readonly string[], timestamp: string): Complaint => ({
  complainedRecipients: recipients.map((emailAddress) => ({ emailAddress })),
  timestamp,
  feedbackId: randomUUID(),
  complaintSubType: null,
  userAgent: 'Amazon SES Mailbox Simulator',
  complaintFeedbackType: 'abuse',
  arrivalDate: timestamp,
});
