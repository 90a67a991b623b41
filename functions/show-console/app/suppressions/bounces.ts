import { explainDiagnostic } from '#shared/sends/explain-diagnostic';
import { type ProviderReason, providerReasonOf } from '#shared/suppressions/bounce-kinds';
import type { EmailEvent } from '../shared/words.ts';

/**
 * What SES's name for a kind of bounce says, where the server's own reply says nothing ("Contents of event data that
 * Amazon SES publishes", bounce types).
 */
const kinds: ReadonlyMap<string, string> = new Map([
  ['Permanent/NoEmail', 'The server says that there is no such address.'],
  ['Transient/General', 'An automatic reply, such as “out of office”, may be reported like this.'],
  ['Transient/MailboxFull', 'The mailbox is full.'],
  ['Transient/MessageTooLarge', 'The email is larger than the server takes.'],
  ['Transient/ContentRejected', 'The server refuses what stands in the email.'],
  ['Transient/AttachmentRejected', 'The server refuses an attachment of the email.'],
  ['Transient/CustomTimeoutExceeded', 'Amazon SES could not hand it over in the time it had.'],
]);

const dropped: Readonly<Record<ProviderReason, string>> = {
  provider_suppressed:
    'The address is on a list of SES’s own. It isn’t blocked here: a later email may arrive.',
  address_guess:
    'SES’s Auto Validation guesses that the address is bad, and never tried it. It isn’t blocked here.',
};

/**
 * Says in plain English what a bounce means. The words of the server stand beside it: see `replyWords`.
 *
 * @param event of which `reason` is SES's type and subtype, such as `Permanent/General`, or a decision of SES's own.
 */
export function bounceWords({ reason = '' }: Pick<EmailEvent, 'reason'>) {
  const [type] = reason.split('/');
  const decision = providerReasonOf(reason);
  if (decision) return { title: 'Dropped by Amazon SES', meaning: dropped[decision] };
  const why = kinds.get(reason);
  const and = (next: string) => (why ? `${why} ${next}` : next);
  switch (type) {
    case 'Permanent':
      return { title: 'Bounced for good', meaning: and('The address is suppressed.') };
    case 'Transient':
      return { title: 'Bounced for now', meaning: and('A later email may arrive.') };
    default:
      return {
        title: 'Bounced',
        meaning: 'Amazon SES could not find out why. A later email may arrive.',
      };
  }
}

/** Says in plain English what a server's reply means; `undefined` where it names no status. */
export function replyWords(reply: string | undefined): string | undefined {
  const cause = reply && explainDiagnostic(reply);
  return cause && `The server says that ${cause}.`;
}

/** What somebody did who complained (RFC 5965 §3.5, "Feedback-Type"). */
const complaints: ReadonlyMap<string, string> = new Map([
  ['abuse', 'the reader pressed “spam”'],
  ['auth-failure', 'its mailbox provider could not tell that it is yours'],
  ['fraud', 'the reader takes it for fraud'],
  ['other', 'the reader reported it'],
  ['virus', 'a virus was found in it'],
]);

/** @param isPossible whether it was one of several: mailbox providers hide who complained. */
export const complaintWords = (reason = '', isPossible = false): string =>
  isPossible
    ? 'It arrived, and one of its recipients reported it. They get no more bulk email, as any of them may have.'
    : `It arrived, and ${complaints.get(reason) ?? 'the reader reported it'}. The address is suppressed.`;
