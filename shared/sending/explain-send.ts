import type { Event } from '#shared/events/event';
import { explainDiagnostic } from './explain-diagnostic.ts';
import { type Send, stateAt } from './send.ts';

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
  if (complained !== undefined) return 'It arrived, and the recipient marked it as spam.';
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

function explainBounce({ reason = '', recipients = [] }: Event): string {
  const diagnostic = recipients.map((recipient) => recipient.diagnostic).find(Boolean);
  const reply = diagnostic === undefined ? '' : ` The reply was: ${diagnostic}`;
  if (/Suppressed|OnAccountSuppressionList/.test(reason)) {
    return `Amazon SES took it and did not send it, as the address is on its own list of bad addresses.${reply}`;
  }
  const because = diagnostic === undefined ? undefined : explainDiagnostic(diagnostic);
  const why = because === undefined ? '' : `: ${because}`;
  return reason.startsWith('Permanent')
    ? `It bounced for good${why}.${reply}`
    : `It bounced for now${why}. A later email may arrive.${reply}`;
}
