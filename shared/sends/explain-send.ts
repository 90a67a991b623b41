import type { Event } from '#shared/events/event';
import { type Send, stateAt } from '#shared/sending/send';
import { type ProviderReason, providerReasonOf } from '#shared/suppressions/bounce-kinds';
import { explainDiagnostic } from './explain-diagnostic.ts';

type Told = { readonly send: Send; readonly events: readonly Event[] };

/**
 * Says in words what became of an email for its `to` address. The last thing that happened counts: an email that was
 * delivered may bounce later, and who complained had got it.
 *
 * @param now epoch milliseconds
 */
export function explainSend({ send, events }: Told, now: number): string {
  const { status, failureReason = 'no reason' } = stateAt(send, now);
  switch (status) {
    case 'sending':
      return 'It is being sent, or its outcome is being found out.';
    case 'suppressed':
      return `It was not sent: the address is blocked (${blockedBy(send)}).`;
    case 'failed':
      return failureReason === 'not_accepted'
        ? 'It was not sent: Amazon SES never took it.'
        : `It was not sent: Amazon SES or the service refused it (${failureReason}).`;
    case 'sent':
      return explainSent(events);
  }
}

const blockedBy = ({ suppressedRecipients, toEmail }: Send): string =>
  suppressedRecipients.find(({ email }) => email === toEmail)?.reason ?? 'suppressed';

function explainSent(events: readonly Event[]): string {
  const last = (type: Event['type']) => events.findLast((event) => event.type === type);
  const complained = last('complained');
  if (complained !== undefined) return explainComplaint(complained);
  const bounced = last('bounced');
  if (bounced !== undefined) return explainBounce(bounced);
  const opened = events.some(
    ({ type, machine }) => (type === 'opened' || type === 'clicked') && machine !== true,
  );
  if (opened) return 'It arrived, and somebody opened it.';
  if (last('delivered') !== undefined) {
    return "The recipient's server took it. If it is not in the inbox, look for it in the spam folder.";
  }
  return "Amazon SES took it, and has not heard from the recipient's server yet.";
}

function explainComplaint({ recipients = [] }: Event): string {
  return recipients.length > 1
    ? 'It arrived, and one of its recipients marked it as spam. Amazon SES names all who may have.'
    : 'It arrived, and the recipient marked it as spam.';
}

const decisionsOfSes: Readonly<Record<string, string>> = {
  provider_suppressed: 'the address is on a list of its own',
  address_guess: 'its Auto Validation takes the address for a bad one. That is a guess',
} satisfies Record<ProviderReason, string>;

function explainBounce({ reason = '', recipients = [] }: Event): string {
  const diagnostic = recipients.map((recipient) => recipient.diagnostic).find(Boolean);
  const reply = diagnostic === undefined ? '' : ` The reply was: ${diagnostic}`;
  const decision = decisionsOfSes[providerReasonOf(reason) ?? ''];
  if (decision !== undefined) {
    return `Amazon SES took it and did not send it, as ${decision}. Nothing is blocked here: a later email may arrive.${reply}`;
  }
  const because = diagnostic === undefined ? undefined : explainDiagnostic(diagnostic);
  const why = because === undefined ? '' : `: ${because}`;
  return reason.startsWith('Permanent')
    ? `It bounced for good${why}.${reply}`
    : `It bounced for now${why}. A later email may arrive.${reply}`;
}
