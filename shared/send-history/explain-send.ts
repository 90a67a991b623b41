import { recipientIdentityOf } from '#shared/contacts/email-address';
import type { Event, EventRecipient } from '#shared/events/event';
import { identitiesIn } from '#shared/sending/erased-recipients';
import { addressesIn, type Send, stateAt, toOf } from '#shared/sending/send';
import { eventKinds, firstTimesIn, kindOf, type Outcome, outcomeOf } from './outcome.ts';
import { untrackedOf } from './send-view.ts';
import { identityOf } from './shown-recipients.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/** What decided the outcome of an email. */
export type Evidence = {
  readonly reason?: string | undefined;
  readonly email?: string | undefined;
  readonly diagnostic?: string | undefined;
  readonly isPossible?: boolean | undefined;
};

/** Of several recipients, the one whose server said why. */
export function evidenceIn({ reason, recipients = [] }: Pick<Event, 'reason' | 'recipients'>) {
  const said = recipients.find(({ diagnostic }) => diagnostic !== undefined) ?? recipients[0];
  return { reason, ...said, isPossible: recipients.length > 1 } satisfies Evidence;
}

/** @param evidence of the event that decided; without one, the send itself says why. */
export function explainSend(send: Send, evidence: Evidence | undefined, now: number): Verdict {
  const { outcome } = outcomeOf(send, now);
  const isShared = outcome === 'delivered' && isToSeveral(send);
  const told = evidence ?? ownEvidence(send, now);
  return verdictOf({ outcome, email: send.toEmail, ...told, isShared, ...untrackedIn(send) });
}

/** Events of delivery, opens and clicks don't say whose they are. */
const isToSeveral = (send: Send): boolean =>
  addressesIn(send).length - send.suppressedRecipients.length > 1;

const untrackedIn = (send: Send) => ({ untracked: untrackedOf(send)?.opens });

/** As `explainSend`, with the send's timeline at hand. */
export function explainTimeline(send: Send, events: readonly Event[], now: number): Verdict {
  const { outcome } = outcomeOf(send, now);
  const decisive = events.findLast((event) => kindOf(event) === outcome);
  const evidence = decisive?.recipients === undefined ? undefined : evidenceIn(decisive);
  return explainSend(send, evidence ?? (decisive && { reason: decisive.reason }), now);
}

export const explainEvent = (event: Event): Verdict | undefined => {
  const kind = kindOf(event);
  return kind === undefined || !explained.has(kind)
    ? undefined
    : verdictOf({ outcome: kind, ...evidenceIn(event) });
};

/** Without the receiver's domain, which may be a person's own. */
export function explainUnnamed(event: Event) {
  const nobody = event.recipients?.map((recipient) => ({ ...recipient, email: '' }));
  const verdict = explainEvent({ ...event, recipients: nobody });
  return verdict && { code: verdict.code, sentence: verdict.sentence, next: verdict.next };
}

const explained: ReadonlySet<Outcome> = new Set([
  'bounced',
  'soft_bounced',
  'delayed',
  'complained',
]);

function ownEvidence(send: Send, now: number): Evidence {
  const { status, failureReason } = stateAt(send, now);
  switch (status) {
    case 'failed':
      return { reason: failureReason };
    case 'suppressed': {
      const [first, ...others] = new Set(send.suppressedRecipients.map(({ reason }) => reason));
      return { reason: others.length === 0 ? first : undefined };
    }
    default:
      return { reason: send.attempts.at(-1)?.reason };
  }
}

type RecipientHistory = {
  readonly send: Send;
  /** Those that concern the recipient: `eventsAbout`. */
  readonly events: readonly Event[];
  readonly identity: string;
};

export function outcomeFor({ send, events, identity }: RecipientHistory, now: number): Outcome {
  const { status } = stateAt(send, now);
  if (status !== 'sent') return status;
  if (blockedBy(send, identity) !== undefined) return 'suppressed';
  const times = firstTimesIn(events);
  return eventKinds.findLast((kind) => times[kind] !== undefined) ?? 'sent';
}

/** A delivered email may still bounce, and a person who complained had received it. */
export function explainFor(history: RecipientHistory, now: number): Verdict {
  const { send, events, identity } = history;
  const outcome = outcomeFor(history, now);
  // Whoever isn't suppressed gets nothing either once everyone in `to` is.
  if (outcome === 'suppressed') return verdictOf({ outcome, reason: blockedBy(send, identity) });
  const decisive = events.findLast((event) => kindOf(event) === outcome);
  return verdictOf({
    outcome,
    email: identity,
    ...(decisive === undefined ? ownEvidence(send, now) : evidenceFor(decisive, identity)),
    isShared: isToSeveral(send),
    ...untrackedIn(send),
  });
}

/** The recipient's own part of the event. An unknown address may be anyone's, as mail gets forwarded. */
function evidenceFor({ reason, recipients = [] }: Event, identity: string): Evidence {
  const isOwn = ({ email }: EventRecipient) => identityOf(email) === identity;
  const own = recipients.find(isOwn) ?? recipients.find(({ diagnostic }) => diagnostic);
  return { reason, diagnostic: own?.diagnostic, isPossible: recipients.length > 1 };
}

const blockedBy = ({ suppressedRecipients }: Send, identity: string): string | undefined =>
  suppressedRecipients.find(({ email }) => recipientIdentityOf(email) === identity)?.reason;

/**
 * Leaves out events that are only about other recipients. Mail gets forwarded, so an unknown address may be anyone's.
 */
export function eventsAbout(
  events: readonly Event[],
  send: Send,
  identity: string,
): readonly Event[] {
  const others = new Set(identitiesIn(send).filter((one) => one !== identity));
  return events.filter(
    ({ recipients = [] }) =>
      recipients.length === 0 || recipients.some(({ email }) => !others.has(identityOf(email))),
  );
}

/** Each recipient's own outcome. Those who were erased have lost theirs. */
export const explainRecipients = (send: Send, events: readonly Event[], now: number) =>
  [
    ...toOf(send).map((email) => ({ email, field: 'to' }) as const),
    ...send.cc.map((email) => ({ email, field: 'cc' }) as const),
    ...send.bcc.map((email) => ({ email, field: 'bcc' }) as const),
  ].flatMap(({ email, field }) => {
    const identity = recipientIdentityOf(email);
    if (identity === undefined) return [];
    const history = { send, events: eventsAbout(events, send, identity), identity };
    const outcome = outcomeFor(history, now);
    return [{ email, field, outcome, verdict: explainFor(history, now) }];
  });
