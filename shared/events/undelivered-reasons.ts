import { providerReasonOf } from '#shared/suppressions/bounce-kinds';

/** Why an email didn't arrive, in so few words that each can have a counter. The console words them. */
export const undeliveredReasons = [
  'no_such_mailbox',
  'no_such_domain',
  'mailbox_disabled',
  'mailbox_full',
  'too_large',
  'taken_for_spam',
  'not_authenticated',
  'content_refused',
  'refused_by_rules',
  'server_busy',
  'server_unreachable',
  'provider_suppressed',
  'address_guess',
  'undetermined',
  'other',
  'suppressed',
  'failed',
] as const;
export type UndeliveredReason = (typeof undeliveredReasons)[number];

/** SES developer guide, "Bounce types": subtypes that say enough. */
const ofSubtypes: ReadonlyMap<string, UndeliveredReason> = new Map([
  ['NoEmail', 'no_such_mailbox'],
  ['MailboxFull', 'mailbox_full'],
  ['MessageTooLarge', 'too_large'],
  ['ContentRejected', 'content_refused'],
  ['AttachmentRejected', 'content_refused'],
  ['CustomTimeoutExceeded', 'server_unreachable'],
]);

/** RFC 3463 §3 and the IANA registry "SMTP Enhanced Status Codes": subject and detail, or a subject alone. */
const ofStatuses: ReadonlyMap<string, UndeliveredReason> = new Map([
  ['1', 'no_such_mailbox'],
  ['1.2', 'no_such_domain'],
  ['1.10', 'no_such_domain'],
  ['2', 'mailbox_disabled'],
  ['2.2', 'mailbox_full'],
  ['2.3', 'too_large'],
  ['3', 'server_busy'],
  ['3.4', 'too_large'],
  ['4', 'server_unreachable'],
  ['6', 'content_refused'],
  ['7', 'refused_by_rules'],
  ...['20', '21', '22', '23', '24', '26', '27', '30', '32', '515'].map(
    (detail) => [`7.${detail}`, 'not_authenticated'] as const,
  ),
  ['7.28', 'taken_for_spam'],
]);

/** The lookarounds skip parts of IP addresses. */
const enhancedStatus = /(?<![.\d])[245]\.(\d{1,3})\.(\d{1,3})(?!\.?\d)/;
/** Outlook's and Yahoo's codes for the reputation of a sender, and everyone's word. */
const spamWords = /\bspam\b|\bunsolicited\b|\(S31[45]0\)|\[TSS0[4-6]\]/i;
/** Gmail's and others' 4.2.1 says that the mailbox gets too much at the moment. */
const busyWords = /(?<![.\d])4\.2\.1(?!\.?\d)/;

/**
 * @param reason a bounce's, as in `Event`.
 * @param diagnostic what the recipient's server said.
 */
export function undeliveredReasonOf(reason = '', diagnostic = ''): UndeliveredReason {
  const [kind = '', subtype = ''] = reason.split('/');
  // Its own kind of bounce, so it is told apart whatever the server said.
  if (kind === 'Undetermined') return 'undetermined';
  const known = providerReasonOf(reason) ?? ofSubtypes.get(subtype);
  if (known !== undefined) return known;
  if (spamWords.test(diagnostic)) return 'taken_for_spam';
  if (busyWords.test(diagnostic)) return 'server_busy';
  const [, subject = '', detail = ''] = enhancedStatus.exec(diagnostic) ?? [];
  return ofStatuses.get(`${subject}.${detail}`) ?? ofStatuses.get(subject) ?? 'other';
}

export const bounceKinds = [
  'bounced_permanent',
  'bounced_transient',
  'bounced_undetermined',
] as const;
export type BounceKind = (typeof bounceKinds)[number];

export const bounceKindOf = (
  isHard: boolean,
  reason: UndeliveredReason | undefined,
): BounceKind => {
  if (isHard) return 'bounced_permanent';
  return reason === 'undetermined' ? 'bounced_undetermined' : 'bounced_transient';
};
