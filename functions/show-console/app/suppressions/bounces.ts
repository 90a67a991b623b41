import { explainDiagnostic } from '#shared/send-history/explain-diagnostic';
import { type ProviderReason, providerReasonOf } from '#shared/suppressions/bounce-kinds';
import { capitalized } from '../shared/format.ts';
import type { Tone } from '../shared/words.ts';

/**
 * What SES's bounce types mean, for replies that say nothing themselves ("Contents of event data that Amazon SES
 * publishes").
 */
const kinds: ReadonlyMap<string, string> = new Map([
  ['Permanent/NoEmail', 'The server says there is no such address.'],
  ['Transient/General', 'SES also reports automatic replies, such as “out of office”, this way.'],
  ['Transient/MailboxFull', 'The mailbox is full.'],
  ['Transient/MessageTooLarge', 'The email is larger than the server accepts.'],
  ['Transient/ContentRejected', 'The server rejects the content of the email.'],
  ['Transient/AttachmentRejected', 'The server rejects an attachment of the email.'],
  ['Transient/CustomTimeoutExceeded', 'Amazon SES couldn’t deliver it in time.'],
]);

const bySes = 'Dropped by Amazon SES';

/** Whether SES dropped the email itself, without asking the recipient's server. */
export const isDrop = ({ reason = '' }: { readonly reason?: string | undefined }): boolean =>
  providerReasonOf(reason) !== undefined;

const dropped: Readonly<Record<ProviderReason, string>> = {
  provider_suppressed:
    'The address is on one of SES’s own lists. It isn’t blocked here: a later email may arrive.',
  address_guess:
    'SES’s Auto Validation considers the address bad, so SES never tried it. It isn’t blocked here.',
};

/** Red means that the bounce suppresses the address. */
type BounceWords = { readonly title: string; readonly meaning: string; readonly tone: Tone };

/**
 * Explains a bounce. The server's own words are shown beside it: see `replyWords`.
 *
 * @param event its `reason` is SES's type and subtype, such as `Permanent/General`, or SES's own decision.
 * @param addresses how many recipients it's about.
 */
export function bounceWords(
  { reason = '' }: { readonly reason?: string | undefined },
  addresses = 1,
): BounceWords {
  const [type] = reason.split('/');
  const decision = providerReasonOf(reason);
  if (decision) return { title: bySes, meaning: dropped[decision], tone: 'warn' };
  const why = kinds.get(reason);
  const and = (next: string) => (why ? `${why} ${next}` : next);
  switch (type) {
    case 'Permanent': {
      const suppressed =
        addresses > 1 ? 'The addresses are suppressed.' : 'The address is suppressed.';
      return { title: 'Hard bounce', meaning: and(suppressed), tone: 'bad' };
    }
    case 'Transient':
      return { title: 'Soft bounce', meaning: and('A later email may arrive.'), tone: 'warn' };
    default:
      return {
        title: 'Bounced',
        meaning: 'Amazon SES couldn’t find out why. A later email may arrive.',
        tone: 'warn',
      };
  }
}

/** In a few words: from the server's reply, else from SES's. */
export function bounceCause({
  reason = '',
  diagnostic = '',
}: {
  readonly reason?: string | undefined;
  readonly diagnostic?: string | undefined;
}): string {
  if (isDrop({ reason })) return bySes;
  if (!diagnostic && reason === 'Transient/General') return 'Possibly an automatic reply';
  const why =
    explainDiagnostic(diagnostic) ?? (diagnostic || kinds.get(reason)?.replace(/\.$/, ''));
  return capitalized(why?.replace(/^there is (?=no )/, '') ?? 'no reason given');
}

/** `undefined` if the reply has no status code. */
export function replyWords(reply: string | undefined): string | undefined {
  const cause = reply && explainDiagnostic(reply);
  return cause && `The server says ${cause}.`;
}

const reportedByReader = 'the reader reported it';

/** What the complainant did (RFC 5965 §3.5, "Feedback-Type"). */
const complaints: ReadonlyMap<string, string> = new Map([
  ['abuse', 'the reader pressed “spam”'],
  ['auth-failure', 'the mailbox provider couldn’t tell that it’s yours'],
  ['fraud', 'the reader reported it as fraud'],
  ['other', reportedByReader],
  ['virus', 'a virus was found in it'],
]);

export const complaintCause = (reason = ''): string =>
  capitalized(complaints.get(reason) ?? reportedByReader);

/** @param isPossible whether there were several recipients: mailbox providers hide which one complained. */
export const complaintWords = (reason = '', isPossible = false): string =>
  isPossible
    ? 'It was delivered, and one of its recipients reported it. Any of them may have, so none of them gets bulk email from now on.'
    : `It was delivered, and ${complaints.get(reason) ?? reportedByReader}. The address is suppressed.`;
