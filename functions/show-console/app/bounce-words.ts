import { explainDiagnostic } from '#shared/sending/explain-diagnostic';
import type { EmailEvent } from './words.ts';

/** Says in plain English what a bounce means, beside the words of the server. */
export function bounceWords({ reason = '', recipients = [] }: EmailEvent) {
  const reply = recipients.map(({ diagnostic }) => diagnostic).find(Boolean);
  const cause = reply && explainDiagnostic(reply);
  if (/Suppress/.test(reason)) {
    return {
      title: 'Dropped by Amazon SES',
      meaning: 'The address is on SES’s own list of bad addresses. Lifting takes it off.',
      reply: reply ?? reason,
    };
  }
  const isForGood = reason.startsWith('Permanent');
  const what = cause ? `The server says that ${cause}. ` : '';
  return {
    title: isForGood ? 'Bounced for good' : 'Bounced for now',
    meaning: `${what}${isForGood ? 'The address is suppressed.' : 'A later email may arrive.'}`,
    reply: reply ?? reason,
  };
}
