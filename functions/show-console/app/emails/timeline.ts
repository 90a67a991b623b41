import { placeAmongEvents } from '#shared/send-history/place-among-events';
import { capitalized } from '../shared/format.ts';
import type { GlyphName } from '../shared/glyphs.ts';
import type { Tone } from '../shared/words.ts';
import { bounceTitle } from '../suppressions/bounces.ts';
import { type EmailEvent, type EmailStory, othersIn } from './outcomes.ts';

/** A recipient, with the server's reply. */
type Person = { readonly email: string; readonly reply?: string | undefined };

export type Step = {
  /** 0 is the first. */
  readonly place: number;
  readonly at: number;
  readonly title: string;
  readonly tone: Tone;
  readonly glyph: GlyphName;
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
    glyph: 'sent',
    who: [],
    from: send.apiKeyId,
  };
  const ofSend: BareStep[] = [
    ...(send.attempts ?? []).map(
      ({ at, reason, attempt }): BareStep => ({
        at,
        title: `Attempt ${attempt} failed`,
        tone: 'bad',
        glyph: 'x',
        who: [],
        reply: reason,
      }),
    ),
    ...(send.status === 'sent' ? [] : [endOf(send)]),
  ];
  const ofEvents = events.map((event) =>
    event.type === 'delivered' && isToSeveral ? deliveryAmong(event) : stepOf(event),
  );
  const inOrder = [accepted, ...placeAmongEvents(ofSend, ofEvents)];
  return inOrder.map((step, place) => {
    const before = inOrder[place - 1];
    return { ...step, place, ...(before && { gap: Math.max(0, step.at - before.at) }) };
  });
}

const endings = {
  scheduled: ['Goes out', 'quiet', 'wait'],
  queued: ['Queued', 'quiet', 'wait'],
  sending: ['Sending', 'quiet', 'wait'],
  canceled: ['Canceled', 'quiet', 'stop'],
  suppressed: ['Not sent: all recipients are suppressed', 'warn', 'stop'],
  failed: ['Not sent', 'bad', 'x'],
  sent: ['Sent', 'quiet', 'sent'],
} as const satisfies Record<EmailStory['send']['status'], readonly [string, Tone, GlyphName]>;

/** Of an email that isn't out: the verdict says the rest. */
function endOf({
  status,
  updatedAt,
  sendAt = updatedAt,
  failureReason,
  suppressedRecipients,
}: EmailStory['send']): BareStep {
  const [title, tone, glyph] = endings[status];
  return {
    at: status === 'scheduled' ? sendAt : updatedAt,
    title,
    tone,
    glyph,
    who: status === 'suppressed' ? suppressedRecipients.map(({ email }) => ({ email })) : [],
    reply: status === 'failed' ? failureReason : undefined,
  };
}

/** Events don't say which recipient's server took it. */
const deliveryAmong = (event: EmailEvent): BareStep => ({
  ...stepOf(event),
  title: 'Delivered to a recipient’s server',
});

function stepOf(event: EmailEvent): BareStep {
  const who = (event.recipients ?? []).map(({ email, diagnostic }) => ({
    email,
    reply: diagnostic,
  }));
  const why = event.verdict?.why ?? event.verdict?.sentence;
  const meaning = why && `${capitalized(why)}.`;
  const base = { at: event.ts, who };
  switch (event.type) {
    case 'sent':
      return { ...base, title: 'Sent by Amazon SES', tone: 'quiet', glyph: 'sent' };
    case 'delivered':
      return {
        ...base,
        title: 'Delivered to the recipient’s server',
        tone: 'good',
        glyph: 'ok',
      };
    case 'delayed':
      return {
        ...base,
        title: 'Delayed by the recipient’s server',
        tone: 'warn',
        glyph: 'wait',
        meaning,
        reply: who.some(({ reply }) => reply) ? undefined : event.reason,
      };
    case 'bounced':
      return {
        ...base,
        ...bounceTitle(event),
        glyph: 'x',
        meaning,
        // Without a reply from a server, SES's words are all there is.
        reply: who.some(({ reply }) => reply) ? undefined : event.reason,
      };
    case 'complained':
      return {
        ...base,
        title: 'Marked as spam',
        tone: 'bad',
        glyph: 'flag',
        meaning,
      };
    case 'opened':
    case 'clicked':
      return { ...base, ...hitWords(event) };
  }
}

function hitWords({ type, machine, hits = 1, url }: EmailEvent) {
  const times = hits > 1 ? `, ${hits} times` : '';
  const did = type === 'opened' ? 'Opened' : 'Clicked';
  const glyph = type === 'opened' ? ('open' as const) : ('click' as const);
  return machine
    ? {
        glyph,
        title: `${did} by a machine${times}`,
        tone: 'quiet' as const,
        meaning: 'A mail client or a scanner did this, not necessarily a person.',
        reply: url,
      }
    : { glyph, title: `${did}${times}`, tone: 'person' as const, reply: url };
}
