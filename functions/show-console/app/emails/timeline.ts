import { placeAmongEvents } from '#shared/send-history/place-among-events';
import type { Tone } from '../shared/words.ts';
import { bounceWords, complaintWords, replyWords } from '../suppressions/bounces.ts';
import { type EmailEvent, type EmailStory, othersIn } from './outcomes.ts';

/** A recipient, with the server's reply and what that means. */
type Person = {
  readonly email: string;
  readonly reply?: string | undefined;
  readonly meaning?: string | undefined;
};

export type Step = {
  /** 0 is the first. */
  readonly place: number;
  readonly at: number;
  readonly title: string;
  readonly tone: Tone;
  /** Empty if it concerns all recipients. */
  readonly who: readonly Person[];
  /** In plain English. */
  readonly meaning?: string | undefined;
  /** The API key that sent it. */
  readonly from?: string | undefined;
  /** The server's own words. */
  readonly reply?: string | undefined;
  /** Milliseconds since the step before, 0 if that has a later time; absent on the first. */
  readonly gap?: number;
};

type BareStep = Omit<Step, 'place' | 'gap'>;

/** Events in the service's order, and the other steps among them by time. */
export function timelineOf({ send, events }: EmailStory): Step[] {
  const isToSeveral = othersIn(send) > 0;
  const accepted: BareStep = {
    at: send.createdAt,
    title: 'Accepted',
    tone: 'quiet',
    who: [],
    from: send.apiKeyId,
  };
  const ofSend: BareStep[] = [
    ...(send.attempts ?? []).map(
      ({ at, reason, attempt }): BareStep => ({
        at,
        title: `Attempt ${attempt} failed`,
        tone: 'bad',
        who: [],
        meaning: isTemplateUnusable(reason)
          ? 'Its template no longer fits its variables, or its alias has no template.'
          : undefined,
        reply: reason,
      }),
    ),
    ...(send.status === 'sent' ? [] : [endOf(send)]),
  ];
  const ofEvents = events.map((event) =>
    event.type === 'delivered' && isToSeveral ? deliveryAmong(events, event) : stepOf(event),
  );
  const inOrder = [accepted, ...placeAmongEvents(ofSend, ofEvents)];
  return inOrder.map((step, place) => {
    const before = inOrder[place - 1];
    return { ...step, place, ...(before && { gap: Math.max(0, step.at - before.at) }) };
  });
}

/** Gaps come in three sizes: to scale, a timeline would be all gap. */
export function gapSize(ms: number): 'short' | 'medium' | 'long' {
  if (ms < 10_000) return 'short';
  return ms < 3_600_000 ? 'medium' : 'long';
}

/** Only somebody of the organization can mend that. */
const isTemplateUnusable = (reason: string | undefined): boolean => reason === 'TemplateUnusable';

const waitsForTemplate =
  'Publish one that fits under the same alias or ID within two days, and it goes out within the hour.';

/** For emails that are waiting or were canceled: they weren't refused. */
const waitingWords = {
  scheduled: ['Goes out', 'Until then, you can reschedule or cancel it.'],
  queued: ['Queued', 'It goes out soon, or is retried. Nothing for you to do.'],
  canceled: ['Canceled', 'It was canceled before it was due. Nothing went out.'],
} as const;

function endOf({
  status,
  updatedAt,
  sendAt = updatedAt,
  attempts,
  failureReason,
  suppressedRecipients,
}: EmailStory['send']): BareStep {
  if (status === 'sending') {
    return {
      at: updatedAt,
      title: 'Sending',
      tone: 'quiet',
      who: [],
      meaning: 'Amazon SES has it, or its answer isn’t known yet. Nothing for you to do.',
    };
  }
  if (status === 'scheduled' || status === 'queued' || status === 'canceled') {
    const [title, words] = waitingWords[status];
    const isHeldUp = status === 'queued' && isTemplateUnusable(attempts?.at(-1)?.reason);
    const meaning = isHeldUp ? waitsForTemplate : words;
    const at = status === 'scheduled' ? sendAt : updatedAt;
    return { at, title, tone: 'quiet', who: [], meaning };
  }
  if (status === 'suppressed') {
    return {
      at: updatedAt,
      title: 'Not sent: all recipients are suppressed',
      tone: 'warn',
      who: suppressedRecipients.map(({ email }) => ({ email })),
      meaning: 'Lift any suppression that’s wrong, then send it again from your application.',
    };
  }
  return {
    at: updatedAt,
    title: 'Not sent',
    tone: 'bad',
    who: [],
    meaning:
      'Amazon SES or the service rejected it. Fix the cause, then send it again from your application.',
    reply: failureReason,
  };
}

/** Events don't say which recipient's server took it: beside a bounce, advice on where to look would mislead. */
function deliveryAmong(events: readonly EmailEvent[], event: EmailEvent): BareStep {
  const { meaning, ...step } = stepOf(event);
  const hasBounced = events.some(({ type }) => type === 'bounced');
  return {
    ...step,
    title: 'Delivered to a recipient’s server',
    meaning: hasBounced ? undefined : meaning,
  };
}

function stepOf(event: EmailEvent): BareStep {
  const who = (event.recipients ?? []).map(({ email, diagnostic }) => ({
    email,
    reply: diagnostic,
    meaning: replyWords(diagnostic),
  }));
  const base = { at: event.ts, who };
  switch (event.type) {
    case 'sent':
      return { ...base, title: 'Sent by Amazon SES', tone: 'quiet' };
    case 'delivered':
      return {
        ...base,
        title: 'Delivered to the recipient’s server',
        tone: 'good',
        meaning: 'If it isn’t in the inbox, it’s in the spam folder or held by a filter.',
      };
    case 'delayed':
      return {
        ...base,
        title: 'Delayed by the recipient’s server',
        tone: 'warn',
        meaning: 'Amazon SES keeps trying. A delivery or a bounce follows.',
        reply: who.some(({ reply }) => reply) ? undefined : event.reason,
      };
    case 'bounced':
      return {
        ...base,
        ...bounceWords(event, who.length),
        // Without a reply from a server, SES's words are all there is.
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
      return { ...base, ...hitWords(event) };
  }
}

function hitWords({ type, machine, hits = 1, url }: EmailEvent) {
  const times = hits > 1 ? `, ${hits} times` : '';
  const did = type === 'opened' ? 'Opened' : 'Clicked';
  return machine
    ? {
        title: `${did} by a machine${times}`,
        tone: 'quiet' as const,
        meaning: 'A mail client or a scanner did this, not necessarily a person.',
        reply: url,
      }
    : { title: `${did}${times}`, tone: 'person' as const, reply: url };
}
