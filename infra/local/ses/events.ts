import { randomUUID } from 'node:crypto';
import { type Fate, simulatedFateOf, simulatorReplies } from '#shared/email/test-provider';
import { bareAddress, buildSesMail, recipientsOf, type SentEmail, type SesMail } from './mail.ts';
import type { Suppressed } from './suppression-calls.ts';

type Delivery = {
  readonly timestamp: string;
  readonly processingTimeMillis: number;
  readonly recipients: readonly string[];
  readonly smtpResponse: string;
  readonly reportingMTA: string;
};

type Bounce = {
  readonly bounceType: 'Permanent' | 'Transient';
  readonly bounceSubType:
    | 'General'
    | 'Suppressed'
    | 'OnAccountSuppressionList'
    | 'OnTenantSuppressionList';
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
  readonly complaintSubType: null | 'OnAccountSuppressionList' | 'OnTenantSuppressionList';
  readonly userAgent: string;
  readonly complaintFeedbackType: string;
  readonly arrivalDate: string;
};

/** `eventType`, not `notificationType`: that's the format for a configuration set's events to SNS. */
export type SesEvent =
  | { readonly eventType: 'Send'; readonly mail: SesMail; readonly send: Record<string, never> }
  | { readonly eventType: 'Delivery'; readonly mail: SesMail; readonly delivery: Delivery }
  | { readonly eventType: 'Bounce'; readonly mail: SesMail; readonly bounce: Bounce }
  | { readonly eventType: 'Complaint'; readonly mail: SesMail; readonly complaint: Complaint };

/**
 * In the order in which SES would publish them.
 *
 * @param suppressionOf the suppression list that holds back the address's email, if any.
 */
export function sesEventsOf(
  email: SentEmail,
  now: Date,
  suppressionOf: (address: string) => Suppressed | undefined = () => undefined,
): SesEvent[] {
  const mail = buildSesMail(email);
  const timestamp = now.toISOString();
  const recipients = recipientsOf(email).map(bareAddress);
  const [listed, others] = partition(recipients, (address) => suppressionOf(address));
  const withFate = (...fates: Fate[]) =>
    others.filter((address) => fates.includes(simulatedFateOf(address) ?? 'success'));
  const delivered = withFate('success', 'complaint', 'ooto');
  const bounces = [
    hardBounce(withFate('bounce'), timestamp),
    suppressedBounce('Suppressed', withFate('suppressionlist'), timestamp),
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
    ...listed.map((one) => listedEvent(mail, one, timestamp)),
  ];
}

type Listed = { readonly address: string; readonly suppression: Suppressed };

/** Recipients that a list holds back, and the others. */
function partition(
  addresses: readonly string[],
  suppressionOf: (address: string) => Suppressed | undefined,
): readonly [readonly Listed[], readonly string[]] {
  const listed = addresses.flatMap((address) => {
    // Simulator addresses behave the same whatever list they're on.
    const suppression = simulatedFateOf(address) ? undefined : suppressionOf(address);
    return suppression === undefined ? [] : [{ address, suppression }];
  });
  const held = new Set(listed.map(({ address }) => address));
  return [listed, addresses.filter((address) => !held.has(address))];
}

/**
 * SES answers without asking the receiver: with a bounce, or with a complaint for a listed complainer (SES guide,
 * "Complaint object", `complaintSubType`).
 */
function listedEvent(mail: SesMail, { address, suppression }: Listed, timestamp: string): SesEvent {
  const subType =
    suppression.scope === 'tenant' ? 'OnTenantSuppressionList' : 'OnAccountSuppressionList';
  return suppression.reason === 'BOUNCE'
    ? { eventType: 'Bounce', mail, bounce: suppressedBounce(subType, [address], timestamp) }
    : {
        eventType: 'Complaint',
        mail,
        complaint: { ...complaint([address], timestamp), complaintSubType: subType },
      };
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
  bouncedRecipients: failed(recipients, simulatorReplies.bounce),
  timestamp,
  feedbackId: randomUUID(),
  reportingMTA: 'dns; local-twin.smtp-out.amazonses.com',
});

/** SES answers without asking the receiver. */
const suppressedBounce = (
  bounceSubType: Bounce['bounceSubType'],
  recipients: readonly string[],
  timestamp: string,
): Bounce => ({
  bounceType: 'Permanent',
  bounceSubType,
  bouncedRecipients: failed(recipients, simulatorReplies.suppressionlist),
  timestamp,
  feedbackId: randomUUID(),
  reportingMTA: 'dns; amazonses.com',
});

const failed = (recipients: readonly string[], diagnosticCode: string) =>
  recipients.map((emailAddress) => ({
    emailAddress,
    action: 'failed',
    status: '5.1.1',
    diagnosticCode,
  }));

/** An out-of-office reply goes to the return path, where SES treats it as a soft bounce. */
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
