import * as z from 'zod/mini';
import { buildSesEvent, buildSesMail } from '../support/ses-event-builder.ts';
import type { Dice } from './dice.ts';
import type { MailEventType, MailReport, Taken } from './ledger.ts';

/** What happens to a message after SES took it. */
export type Fate = {
  readonly reports: readonly MailReport[];
  /** How often the pixel is fetched, by people and machines. */
  readonly hits: readonly { readonly isMachine: boolean }[];
};

/** @param isBouncing whether nobody has the address. */
export function fateOf(taken: Taken, isBouncing: boolean, dice: Dice): Fate {
  const reports = (...types: (MailEventType | 'TransientBounce')[]) =>
    types.map((type) => reportOf(taken, type, dice.chance(0.9)));
  if (taken.isRejected) return { reports: reports('Send', 'Reject'), hits: [] };

  const end = isBouncing
    ? 'bounces'
    : dice.weighted<'arrives' | 'bounces' | 'bounces for now' | 'gets no event'>([
        ['arrives', 75],
        ['bounces', 8],
        ['bounces for now', 7],
        ['gets no event', 10],
      ]);
  switch (end) {
    case 'bounces':
      return { reports: reports('Send', 'Bounce'), hits: [] };
    case 'bounces for now':
      return { reports: reports('Send', 'TransientBounce'), hits: [] };
    case 'gets no event':
      return { reports: reports('Send'), hits: [] };
    case 'arrives': {
      const isDisliked = dice.chance(0.1);
      const hits = dice.chance(0.6) ? dice.between(1, 3) : 0;
      return {
        reports: reports('Send', 'Delivery', ...(isDisliked ? ['Complaint' as const] : [])),
        hits: Array.from({ length: hits }, () => ({ isMachine: dice.chance(0.4) })),
      };
    }
  }
}

/** An SES event about a message. @param isTagged otherwise only a header leads to the send. */
export function reportOf(
  taken: Taken,
  kind: MailEventType | 'TransientBounce',
  isTagged = true,
): MailReport {
  const type = kind === 'TransientBounce' ? 'Bounce' : kind;
  const { messageId, feedbackId, at, recipients } = taken;
  const mail = buildSesMail({
    messageId,
    timestamp: new Date(at).toISOString(),
    destination: recipients,
    headers: [{ name: 'Feedback-ID', value: `${feedbackId}:org:ses` }],
    tags: isTagged ? { 'feedback-id': [feedbackId] } : {},
  });
  return {
    taken,
    type,
    event: buildSesEvent(type, { mail, ...detailsOf(kind, taken) }),
    isReadable: true,
    suppresses: suppressionBy.get(kind),
    recordings: [],
  };
}

const testEventSchema = z.object({ eventType: z.enum(['Send', 'Delivery', 'Complaint']) });

/** What is reported about a test email. It suppresses nobody. */
export const testReportsOf = (taken: Taken): MailReport[] =>
  (taken.testEvents ?? []).map((event) => ({
    taken,
    type: testEventSchema.parse(event).eventType,
    event,
    isReadable: true,
    suppresses: undefined,
    recordings: [],
  }));

/** The same event, malformed, so it can't be recorded. */
export const unreadable = (report: MailReport): MailReport => ({
  ...report,
  event: { ...report.event, mail: { ...mailOf(report), timestamp: 'tomorrow' } },
  isReadable: false,
  recordings: [],
});

const mailOf = ({ event }: MailReport) => z.object({ mail: z.looseObject({}) }).parse(event).mail;

const suppressionBy = new Map<string, 'bounce' | 'complaint'>([
  ['Bounce', 'bounce'],
  ['Complaint', 'complaint'],
]);

function detailsOf(kind: MailEventType | 'TransientBounce', { at, to }: Taken) {
  const recipients = [{ emailAddress: to }];
  const timestamp = new Date(at + 2_000).toISOString();
  const bounce = { bounceSubType: 'General', bouncedRecipients: recipients, timestamp };
  switch (kind) {
    case 'Bounce':
      return { bounce: { ...bounce, bounceType: 'Permanent' } };
    case 'TransientBounce':
      return { bounce: { ...bounce, bounceType: 'Transient' } };
    case 'Complaint':
      return {
        complaint: {
          complainedRecipients: recipients,
          complaintFeedbackType: 'abuse',
          timestamp,
        },
      };
    default:
      return {};
  }
}
