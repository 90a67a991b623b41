import { randomUUID } from 'node:crypto';
import { feedbackIdTag } from '#shared/tokens/resource-id';
import type { EmailProvider, OutgoingEmail } from './email-provider.ts';

/** As SES would publish them, in order. */
export type TestEvents = readonly object[];

/**
 * Begins no try after `beginsBefore`. Throws if the events may not have been stored.
 */
export type PublishTestEvents = (events: TestEvents, beginsBefore: number) => Promise<void>;

/**
 * Takes each email and sends none. It queues the events that SES's simulator would publish, then answers. If the
 * process dies in between, the events settle the send, as SES's do.
 */
export const createTestProvider =
  (
    publish: PublishTestEvents,
    now: () => number = Date.now,
    newMessageId = () => `test-${randomUUID()}`,
  ): EmailProvider =>
  async (email, { beginsBefore }) => {
    const at = now();
    if (at >= beginsBefore) return { kind: 'unreachable', cause: new Error('too late to begin') };
    const providerMessageId = newMessageId();
    try {
      const events = testEventsOf(email, providerMessageId, new Date(at).toISOString());
      await publish(events, beginsBefore);
    } catch (cause) {
      return { kind: 'unknown', cause };
    }
    // Queuing takes a while, and nothing may happen to an email before it's accepted.
    return { kind: 'accepted', providerMessageId, acceptedAt: at };
  };

/** SES developer guide, "Contents of event data that Amazon SES publishes to Amazon SNS". */
export function testEventsOf(
  { to, cc, bcc, feedbackId }: Pick<OutgoingEmail, 'to' | 'cc' | 'bcc' | 'feedbackId'>,
  messageId: string,
  timestamp: string,
): TestEvents {
  const destination = [...to, ...cc, ...bcc].map(({ address }) => address);
  const mail = { timestamp, messageId, destination, tags: { [feedbackIdTag]: [feedbackId] } };
  const about = (event: object, recipients: readonly string[]) =>
    recipients.length === 0 ? [] : [{ mail, ...event }];
  const withFate = (...fates: readonly Fate[]) =>
    destination.filter((address) => fates.includes(testFateOf(address)));
  const delivered = withFate('success', 'complaint', 'ooto');
  const complained = withFate('complaint');
  return [
    { eventType: 'Send', mail, send: {} },
    ...about({ eventType: 'Delivery', delivery: { timestamp, recipients: delivered } }, delivered),
    ...bounces.flatMap(({ fate, type, subType, diagnosticCode }) => {
      const bounced = withFate(fate);
      const bouncedRecipients = bounced.map((emailAddress) => ({
        emailAddress,
        ...(diagnosticCode !== undefined && { diagnosticCode }),
      }));
      const bounce = { timestamp, bounceType: type, bounceSubType: subType, bouncedRecipients };
      return about({ eventType: 'Bounce', bounce }, bounced);
    }),
    ...about(
      {
        eventType: 'Complaint',
        complaint: {
          timestamp,
          complaintFeedbackType: 'abuse',
          complainedRecipients: complained.map((emailAddress) => ({ emailAddress })),
        },
      },
      complained,
    ),
  ];
}

/** SES's words for the bounces of its mailbox simulator. */
export const simulatorReplies = {
  bounce: 'smtp; 550 5.1.1 user unknown',
  suppressionlist:
    'Amazon SES has suppressed sending to this address because it has a recent history of bouncing as an invalid address.',
} as const;

const bounces: readonly {
  readonly fate: Fate;
  readonly type: string;
  readonly subType: string;
  readonly diagnosticCode?: string;
}[] = [
  {
    fate: 'bounce',
    type: 'Permanent',
    subType: 'General',
    diagnosticCode: simulatorReplies.bounce,
  },
  {
    fate: 'suppressionlist',
    type: 'Permanent',
    subType: 'Suppressed',
    diagnosticCode: simulatorReplies.suppressionlist,
  },
  { fate: 'ooto', type: 'Transient', subType: 'General' },
];

const fates = ['success', 'bounce', 'complaint', 'suppressionlist', 'ooto'] as const;
export type Fate = (typeof fates)[number];

const simulatorAddress = /^([a-z]+)(\+[^@]*)?@simulator\.amazonses\.com$/i;

export function simulatedFateOf(address: string): Fate | undefined {
  const localPart = simulatorAddress.exec(address)?.[1]?.toLowerCase();
  return fates.find((fate) => fate === localPart);
}

/** Resend's ("Send test emails"), for programs that move here from Resend. */
const resendFates: ReadonlyMap<string, Fate> = new Map([
  ['bounced', 'bounce'],
  ['complained', 'complaint'],
  ['suppressed', 'suppressionlist'],
]);
const resendAddress = /^([a-z]+)(\+[^@]*)?@resend\.dev$/i;

/** A test email is delivered, unless its address asks for something else. */
export function testFateOf(address: string): Fate {
  const localPart = resendAddress.exec(address)?.[1]?.toLowerCase() ?? '';
  return simulatedFateOf(address) ?? resendFates.get(localPart) ?? 'success';
}
