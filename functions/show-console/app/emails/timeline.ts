import type { EmailStory, EmailEvent as Event, Tone } from '../shared/words.ts';
import { bounceWords, complaintWords, replyWords } from '../suppressions/bounces.ts';

/** A recipient, with what the own server said, and what that means. */
export type Person = {
  readonly email: string;
  readonly reply?: string | undefined;
  readonly meaning?: string | undefined;
};

/** One step of an email's story. */
export type Step = {
  /** 0 is the first. */
  readonly place: number;
  readonly at: number;
  readonly title: string;
  readonly tone: Tone;
  /** Whom it concerns, where it is not everybody. */
  readonly who: readonly Person[];
  /** What it means, in plain English. */
  readonly meaning?: string | undefined;
  /** The words of a server, as they came. */
  readonly reply?: string | undefined;
  /** Milliseconds since the step before; absent on the first. */
  readonly gap?: number;
};

type BareStep = Omit<Step, 'place' | 'gap'>;

/** Tells an email's story step by step, oldest first. */
export function timelineOf({ send, events }: EmailStory): Step[] {
  const steps: BareStep[] = [
    { at: send.createdAt, title: 'Accepted from your application', tone: 'quiet', who: [] },
    ...(send.attempts ?? []).map(
      ({ at, reason, attempt }): BareStep => ({
        at,
        title: `Attempt ${attempt} failed`,
        tone: 'bad',
        who: [],
        reply: reason,
      }),
    ),
    ...(send.status === 'sent' ? [] : [endOf(send)]),
    ...events.map(stepOf),
  ];
  const inOrder = [...steps].sort((one, other) => one.at - other.at);
  return inOrder.map((step, place) => {
    const before = inOrder[place - 1];
    return { ...step, place, ...(before && { gap: step.at - before.at }) };
  });
}

/** How long a gap is drawn: a timeline to scale would be all gap. */
export function gapSize(ms: number): 'short' | 'medium' | 'long' {
  if (ms < 10_000) return 'short';
  return ms < 3_600_000 ? 'medium' : 'long';
}

function endOf({
  status,
  updatedAt,
  failureReason,
  suppressedRecipients,
}: EmailStory['send']): BareStep {
  if (status === 'sending') {
    return {
      at: updatedAt,
      title: 'Being handed over',
      tone: 'quiet',
      who: [],
      meaning:
        'Amazon SES has it, or its answer is being found out. Nothing is left to do for you.',
    };
  }
  if (status === 'suppressed') {
    return {
      at: updatedAt,
      title: 'Not sent: no recipient was left',
      tone: 'warn',
      who: suppressedRecipients.map(({ email }) => ({ email })),
      meaning: 'Each recipient is suppressed. Lift what is wrong below, then send it again.',
    };
  }
  return {
    at: updatedAt,
    title: 'Not sent',
    tone: 'bad',
    who: [],
    meaning: 'Amazon SES or the service refused it. Mend the cause, then send it again.',
    reply: failureReason,
  };
}

function stepOf(event: Event): BareStep {
  const who = (event.recipients ?? []).map(({ email, diagnostic }) => ({
    email,
    reply: diagnostic,
    meaning: replyWords(diagnostic),
  }));
  const base = { at: event.ts, who };
  switch (event.type) {
    case 'sent':
      return { ...base, title: 'Amazon SES took it', tone: 'quiet' };
    case 'delivered':
      return {
        ...base,
        title: 'The recipient’s server took it',
        tone: 'good',
        meaning: 'If it is not in the inbox, it is in the spam folder or behind a filter.',
      };
    case 'bounced':
      return {
        ...base,
        ...bounceWords(event),
        tone: event.reason?.startsWith('Permanent') ? 'bad' : 'warn',
        // Without words of a server, SES's own are all there is.
        reply: who.some(({ reply }) => reply) ? undefined : event.reason,
      };
    case 'complained':
      return {
        ...base,
        title: 'Marked as spam',
        tone: 'bad',
        meaning: complaintWords(event.reason, who.length > 1),
      };
    case 'opened':
    case 'clicked':
      return { ...base, ...visitWords(event) };
  }
}

function visitWords({ type, machine, hits = 1, url }: Event) {
  const times = hits > 1 ? `, ${hits} times` : '';
  const did = type === 'opened' ? 'Opened' : 'Clicked';
  return machine
    ? {
        title: `${did} by a machine${times}`,
        tone: 'quiet' as const,
        meaning: 'A mail program or a scanner did this. It says nothing about a person.',
        reply: url,
      }
    : { title: `${did}${times}`, tone: 'good' as const, reply: url };
}
