import type { Tone } from '../shared/words.ts';
import { bounceWords, complaintWords, replyWords } from '../suppressions/bounces.ts';
import { reasonText } from '../suppressions/reasons.ts';
import type { EmailStory, Outcome } from './outcomes.ts';

type Advice = {
  readonly tone: Tone;
  readonly what: string;
  readonly next: string;
  /** Whose suppression can be lifted. */
  readonly lift?: Outcome;
};

/**
 * The one thing to know and do about an email; `undefined` when all is well.
 *
 * @param outcomes of its recipients, as `outcomesOf` tells them.
 */
export function adviceOf(story: EmailStory, outcomes: readonly Outcome[]): Advice | undefined {
  return adviceBefore(story, outcomes) ?? adviceAfter(story, outcomes);
}

/** Of an email that never went out. */
function adviceBefore(
  { send: { status, failureReason } }: EmailStory,
  outcomes: readonly Outcome[],
): Advice | undefined {
  if (status === 'failed') {
    return {
      tone: 'bad',
      what: 'It wasn’t sent.',
      next: `${failureReason ?? 'Amazon SES or the service refused it'}. Fix the cause, then send it again.`,
    };
  }
  const blocked = outcomes.find(({ isBlocked }) => isBlocked);
  if (status !== 'suppressed' || blocked === undefined) return undefined;
  const why = blocked.reason === undefined ? '' : ` (${reasonText(blocked.reason).toLowerCase()})`;
  return {
    tone: 'quiet',
    what: `It wasn’t sent: ${outcomes.length > 1 ? 'all of its addresses are' : 'the address is'} suppressed${why}.`,
    next: 'If that’s wrong, lift the suppression, then send it again.',
    lift: blocked,
  };
}

function adviceAfter({ events }: EmailStory, outcomes: readonly Outcome[]): Advice | undefined {
  const lift = outcomes.find(({ isBlocked }) => isBlocked);
  const blocked = lift && { lift };
  const last = (type: (typeof events)[number]['type']) =>
    events.filter((event) => event.type === type).at(-1);
  const complaint = last('complained');
  if (complaint) {
    const isPossible = (complaint.recipients?.length ?? 0) > 1;
    return {
      tone: 'bad',
      what: 'It was marked as spam.',
      next: complaintWords(complaint.reason, isPossible),
      ...blocked,
    };
  }
  const bounce = last('bounced');
  if (bounce) {
    const { title, meaning, tone } = bounceWords(bounce);
    const reply = bounce.recipients?.map(({ diagnostic }) => replyWords(diagnostic)).find(Boolean);
    return {
      tone,
      what: reply ?? `${title}.`,
      next:
        tone === 'bad'
          ? 'The address gets no more email until it’s fixed or the suppression is lifted.'
          : meaning,
      ...blocked,
    };
  }
  const isStuck = last('delayed') && !last('delivered');
  return isStuck
    ? {
        tone: 'warn',
        what: 'The recipient’s server doesn’t take it yet.',
        next: 'Amazon SES keeps trying. A delivery or a bounce follows.',
      }
    : undefined;
}
