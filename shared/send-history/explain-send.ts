import { recipientIdentityOf } from '#shared/contacts/email-address';
import type { Event } from '#shared/events/event';
import { notAccepted, type Send, stateAt } from '#shared/sending/send';
import {
  isHardBounce,
  type ProviderReason,
  providerReasonOf,
} from '#shared/suppressions/bounce-kinds';
import { explainDiagnostic } from './explain-diagnostic.ts';
import { eventKinds, firstTimesIn, type Outcome } from './outcome.ts';
import { untrackedOf } from './send-view.ts';

type SendHistory = {
  readonly send: Send;
  readonly events: readonly Event[];
  readonly identity: string;
};

export function outcomeFor({ send, events, identity }: SendHistory, now: number): Outcome {
  const { status } = stateAt(send, now);
  if (status !== 'sent') return status;
  if (blockedBy(send, identity) !== undefined) return 'suppressed';
  const times = firstTimesIn(events);
  return eventKinds.findLast((kind) => times[kind] !== undefined) ?? 'sent';
}

/** Explains the send's outcome: a delivered email may still bounce, and a person who complained had received it. */
export function explainSend(history: SendHistory, now: number): string {
  const { send, events, identity } = history;
  const blocked = blockedBy(send, identity);
  const { status, failureReason = 'no reason' } = stateAt(send, now);
  switch (status) {
    case 'scheduled':
      return `It is scheduled for ${new Date(send.sendAt ?? send.createdAt).toISOString()}.`;
    case 'queued':
      return 'It is in the queue, and goes out soon.';
    case 'canceled':
      return 'It was not sent: it was canceled before it was due.';
    case 'sending':
      return 'It is being sent, or its outcome is not known yet.';
    case 'suppressed':
      return blocked === undefined
        ? 'It was not sent: everyone in `to` is suppressed.'
        : `It was not sent: the address is suppressed (${blocked}).`;
    case 'failed':
      return failureReason === notAccepted
        ? 'It was not sent: Amazon SES never accepted it.'
        : `It was not sent: Amazon SES or the service rejected it (${failureReason}).`;
    case 'sent':
      return blocked === undefined
        ? explainSent(outcomeFor(history, now), events, untrackedOf(send)?.opens)
        : `It was not sent to this address, which is suppressed (${blocked}).`;
  }
}

const blockedBy = ({ suppressedRecipients }: Send, identity: string): string | undefined =>
  suppressedRecipients.find(({ email }) => recipientIdentityOf(email) === identity)?.reason;

function explainSent(outcome: Outcome, events: readonly Event[], untrackedBy: Untracked): string {
  const last = (type: Event['type']) => events.findLast((event) => event.type === type);
  switch (outcome) {
    case 'complained':
      return explainComplaint(last('complained'));
    case 'bounced':
    case 'soft_bounced':
      return explainBounce(last('bounced'));
    case 'opened':
    case 'clicked':
      return 'It was delivered, and someone opened it.';
    case 'delivered':
      return explainDelivered(untrackedBy);
    case 'delayed':
      return explainDelay(last('delayed'));
    default:
      return "Amazon SES accepted it. The recipient's server has not answered yet.";
  }
}

type Untracked = NonNullable<ReturnType<typeof untrackedOf>>['opens'];

const untrackedWords = {
  email: 'its request said so',
  policy: 'its policy says so',
  organization: 'the organization’s settings say so',
} as const satisfies Record<NonNullable<Untracked>, string>;

function explainDelivered(untrackedBy: Untracked): string {
  const accepted =
    "The recipient's server accepted it. If it is not in the inbox, look in the spam folder.";
  return untrackedBy === undefined
    ? accepted
    : `${accepted} Whether it was opened isn’t tracked: ${untrackedWords[untrackedBy]}.`;
}

function explainDelay({ reason = 'no reason', recipients = [] }: Partial<Event> = {}): string {
  const diagnostic = recipients.map((recipient) => recipient.diagnostic).find(Boolean);
  const reply = diagnostic === undefined ? '' : ` The server replied: ${diagnostic}`;
  return `It is delayed (${reason}): the recipient's server isn't accepting it yet, and Amazon SES keeps trying.${reply}`;
}

function explainComplaint({ recipients = [] }: Partial<Event> = {}): string {
  return recipients.length > 1
    ? 'It was delivered, and one of its recipients marked it as spam. Amazon SES does not say which one.'
    : 'It was delivered, and the recipient marked it as spam.';
}

const decisionsOfSes: Readonly<Record<string, string>> = {
  provider_suppressed: 'the address is on its own suppression list',
  address_guess: 'its Auto Validation considers the address invalid. That is a guess',
} satisfies Record<ProviderReason, string>;

function explainBounce({ reason = '', recipients = [] }: Partial<Event> = {}): string {
  const diagnostic = recipients.map((recipient) => recipient.diagnostic).find(Boolean);
  const reply = diagnostic === undefined ? '' : ` The server replied: ${diagnostic}`;
  const decision = decisionsOfSes[providerReasonOf(reason) ?? ''];
  if (decision !== undefined) {
    return `Amazon SES accepted it but did not send it, because ${decision}. The address is not suppressed here: a later email may arrive.${reply}`;
  }
  const because = diagnostic === undefined ? undefined : explainDiagnostic(diagnostic);
  const why = because === undefined ? '' : `: ${because}`;
  return isHardBounce(reason)
    ? `It bounced permanently${why}.${reply}`
    : `It bounced temporarily${why}. A later email may arrive.${reply}`;
}
