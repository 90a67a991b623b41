import type { Tone } from '../shared/words.ts';
import { bounceWords, complaintWords, replyWords } from '../suppressions/bounces.ts';
import { reasonText } from '../suppressions/reasons.ts';
import { type EmailEvent, type EmailStory, isSameAddress, type Outcome } from './outcomes.ts';

type Advice = {
  readonly tone: Tone;
  /** Who among several recipients it's about: untrusted text. */
  readonly who?: string | undefined;
  readonly what: string;
  readonly next: string;
  /**
   * The one recipient whose suppression can be lifted. If there are several, their buttons are beside their outcomes.
   */
  readonly lift?: Outcome | undefined;
};

/** The one thing to know and do about an email; `undefined` if all is well. */
export function adviceOf(story: EmailStory, outcomes: readonly Outcome[]): Advice | undefined {
  return adviceBefore(story, outcomes) ?? adviceAfter(story, outcomes);
}

/** About an email that never went out. */
function adviceBefore(
  { send: { status, failureReason } }: EmailStory,
  outcomes: readonly Outcome[],
): Advice | undefined {
  if (status === 'failed') {
    return {
      tone: 'bad',
      what: 'It wasn’t sent.',
      next: `${failureReason ?? 'Amazon SES or the service rejected it'}. Fix the cause, then send it again from your application.`,
    };
  }
  if (status !== 'suppressed') return undefined;
  const reasons = new Set(outcomes.map(({ reason }) => reason));
  const [only] = reasons;
  const why = reasons.size === 1 && only ? ` (${reasonText(only).toLowerCase()})` : '';
  const isToSeveral = outcomes.length > 1;
  return {
    tone: 'quiet',
    what: `It wasn’t sent: ${isToSeveral ? 'all of its addresses are' : 'the address is'} suppressed${why}.`,
    next: `If that’s wrong, lift the suppression${isToSeveral ? 's' : ''}, then send it again from your application.`,
    lift: liftOf(outcomes),
  };
}

const liftOf = (concerned: readonly Outcome[]): Outcome | undefined => {
  const [first, ...others] = concerned.filter(({ isBlocked }) => isBlocked);
  return others.length > 0 ? undefined : first;
};

/** Which of several recipients an event is about: each has its own events. */
function concernedBy(event: EmailEvent, outcomes: readonly Outcome[]) {
  if (outcomes.length === 1) return { lift: liftOf(outcomes) };
  const named = event.recipients ?? [];
  const concerned = outcomes.filter(({ email }) =>
    named.some((one) => isSameAddress(one.email, email)),
  );
  const [first, ...others] = concerned.map(({ email }) => email);
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  return { who: first && `${first}${more}`, lift: liftOf(concerned) };
}

/** A hard bounce counts more than another recipient's later soft one. */
function worstBounceOf(events: readonly EmailEvent[]): EmailEvent | undefined {
  const bounces = events.filter(({ type }) => type === 'bounced');
  return bounces.filter((one) => bounceWords(one).tone === 'bad').at(-1) ?? bounces.at(-1);
}

function adviceAfter({ events }: EmailStory, outcomes: readonly Outcome[]): Advice | undefined {
  const last = (type: EmailEvent['type']) => events.filter((event) => event.type === type).at(-1);
  const complaint = last('complained');
  if (complaint) {
    const isPossible = (complaint.recipients?.length ?? 0) > 1;
    const { who, lift } = concernedBy(complaint, outcomes);
    return {
      tone: 'bad',
      // Mailbox providers hide which of several recipients complained.
      who: isPossible ? undefined : who,
      what: 'It was marked as spam.',
      next: complaintWords(complaint.reason, isPossible),
      lift,
    };
  }
  const bounce = worstBounceOf(events);
  if (bounce) {
    const { title, meaning, tone } = bounceWords(bounce);
    const reply = bounce.recipients?.map(({ diagnostic }) => replyWords(diagnostic)).find(Boolean);
    return {
      tone,
      what: reply ?? `${title}.`,
      next:
        tone === 'bad'
          ? `${(bounce.recipients?.length ?? 1) > 1 ? 'These addresses get' : 'The address gets'} no more email until it’s fixed or the suppression is lifted.`
          : meaning,
      ...concernedBy(bounce, outcomes),
    };
  }
  const isStuck = last('delayed') && !last('delivered');
  return isStuck
    ? {
        tone: 'warn',
        what: 'The recipient’s server isn’t accepting it yet.',
        next: 'Amazon SES keeps trying. A delivery or a bounce follows.',
      }
    : undefined;
}
