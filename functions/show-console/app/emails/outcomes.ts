import { listedOutcomes } from '#shared/send-history/listed-outcomes';
import type { Answer } from '../../../api.ts';
import type { GlyphName } from '../parts/glyph.tsx';
import { shorten } from '../shared/format.ts';
import { every, type Tone } from '../shared/words.ts';
import { bounceWords, isDrop } from '../suppressions/bounces.ts';
import { reasonText } from '../suppressions/reasons.ts';

export type Send = Answer<'GET /api/v1/sends'>['data'][number];
export type EmailStory = Answer<'GET /api/v1/sends/{id}'>;
export type EmailEvent = EmailStory['events'][number];

export const sendStatuses = every<Send['status']>()([
  'sent',
  'scheduled',
  'queued',
  'sending',
  'suppressed',
  'failed',
  'canceled',
]);

const sendWords = {
  sent: ['Sent', 'info'],
  scheduled: ['Scheduled', 'quiet'],
  queued: ['Queued', 'quiet'],
  sending: ['Sending', 'quiet'],
  suppressed: ['Suppressed', 'quiet'],
  failed: ['Failed', 'bad'],
  canceled: ['Canceled', 'quiet'],
} as const satisfies Record<Send['status'], readonly [string, Tone]>;

const outcomeWords = {
  ...sendWords,
  delayed: ['Delayed', 'warn'],
  delivered: ['Delivered', 'good'],
  soft_bounced: ['Soft bounce', 'warn'],
  opened: ['Opened', 'person'],
  clicked: ['Clicked', 'person'],
  bounced: ['Hard bounce', 'bad'],
  complained: ['Complained', 'bad'],
} as const satisfies Record<Send['outcome'], readonly [string, Tone]>;

/** The list's filters: final outcomes first, passing ones last. */
const outcomes = every<Send['outcome']>()([
  'delivered',
  'opened',
  'clicked',
  'bounced',
  'soft_bounced',
  'complained',
  'delayed',
  'failed',
  'suppressed',
  'scheduled',
  'sent',
  'queued',
  'sending',
  'canceled',
]);

/**
 * Outcomes that this page doesn't know yet are shown unchanged.
 *
 * @param events needed if the send has no `cause`.
 */
export function badgeOf(
  { outcome, cause }: Pick<Send, 'outcome' | 'cause'>,
  events: readonly EmailEvent[] = [],
): readonly [text: string, tone: Tone] {
  const bounced = cause ? [cause] : events.filter(({ type }) => type === 'bounced');
  if (outcome === 'bounced' && bounced.length > 0 && bounced.every(isDrop)) {
    return ['Dropped', 'warn'];
  }
  const known = outcomes.find((one) => one === outcome);
  return known ? outcomeWords[known] : [shorten(outcome, 40), 'quiet'];
}

const glyphs: Readonly<Partial<Record<Send['outcome'], GlyphName>>> = {
  opened: 'open',
  clicked: 'click',
  // It's still tried, or its time hasn't come.
  delayed: 'wait',
  scheduled: 'wait',
  queued: 'wait',
  sending: 'wait',
  complained: 'flag',
};

/** Where its tone's doesn't say enough. */
export const glyphOf = ({ outcome }: Pick<Send, 'outcome'>): GlyphName | undefined =>
  glyphs[outcome];

/** Of a chip's outcomes. */
export const toneOf = (outcomes: string): Tone | undefined => {
  const first = outcomesIn(outcomes)[0];
  const tone = first && outcomeWords[first][1];
  return tone === 'bad' || tone === 'warn' ? tone : undefined;
};

/** Reads outcomes, separated by commas, from the page's address. None if one is unknown. */
export function outcomesIn(text: string | undefined): readonly Send['outcome'][] {
  const asked = text?.split(',') ?? [];
  const known = outcomes.filter((one) => asked.includes(one));
  return known.length === asked.length ? known : [];
}

export const bounces = ['bounced', 'soft_bounced'] as const;
type Bounce = (typeof bounces)[number];
const isBounce = (one: Send['outcome']): one is Bounce => bounces.some((bounce) => bounce === one);

/**
 * One line of chips. Both kinds of bounces share a chip, and get their own while one is chosen. Passing outcomes, and
 * combinations that a link asks for, have a chip only while they're chosen.
 */
export function chipsWith(text: string | undefined): (readonly [value: string, text: string])[] {
  const chosen = outcomesIn(text);
  const hasKinds = chosen.some(isBounce);
  const chips = outcomes.flatMap((one) => {
    const own = [one, outcomeWords[one][0]] as const;
    const isHidden = isBounce(one) ? !hasKinds : passing.has(one) && !chosen.includes(one);
    const both = [bounces.join(), 'Bounced'] as const;
    return [...(one === bounces[0] ? [both] : []), ...(isHidden ? [] : [own])];
  });
  const isShown = chosen.length < 2 || chips.some(([value]) => value === chosen.join());
  const together = [chosen.join(), chosen.map((one) => outcomeWords[one][0]).join(', ')] as const;
  return [['', 'All'], ...(isShown ? [] : [together]), ...chips];
}

const passing: ReadonlySet<Send['outcome']> = new Set(['queued', 'sending', 'canceled']);

/** The list's time column. If only rare outcomes are asked for, the API sorts emails by when these happened. */
export function timesOf(selected: readonly Send['outcome'][]) {
  const [first] = selected;
  const areRare = selected.every((one) => listedOutcomes.some((rare) => rare === one));
  if (first === undefined || !areRare) return { head: 'Time', at: sendingTimeOf };
  const one = selected.length === 1 ? outcomeWords[first][0] : 'Happened';
  const at = ({ outcomeAt }: Send) => outcomeAt;
  return { head: selected.every(isBounce) ? 'Bounced' : one, at };
}

/** When it went out or will. The time asked for may have been in the past. */
const sendingTimeOf = ({ status, sendAt = 0, createdAt }: Send): number =>
  status === 'canceled' ? createdAt : Math.max(sendAt, createdAt);

export type Outcome = {
  readonly email: string;
  readonly field: 'To' | 'Cc' | 'Bcc';
  readonly text: string;
  readonly tone: Tone;
  /** Whether lifting a suppression may help. */
  readonly isBlocked: boolean;
  readonly reason: string | undefined;
};

/** How many recipients there are besides the first `to`. */
export const othersIn = ({ to = [''], cc, bcc }: Pick<Send, 'to' | 'cc' | 'bcc'>): number =>
  to.length - 1 + cc.length + bcc.length;

export function outcomesOf({ send, events }: EmailStory): Outcome[] {
  const all = [
    ...(send.to ?? [send.toEmail]).map((email) => ({ field: 'To', email }) as const),
    ...send.cc.map((email) => ({ field: 'Cc', email }) as const),
    ...send.bcc.map((email) => ({ field: 'Bcc', email }) as const),
  ] as const;
  const isOnlyOne = all.length - send.suppressedRecipients.length === 1;
  return all.map(({ field, email }) => {
    const suppressed = send.suppressedRecipients.find((one) => isSameAddress(one.email, email));
    const [text, tone, reason] = suppressed
      ? ([`Not sent: ${reasonText(suppressed.reason)}`, 'warn', suppressed.reason] as const)
      : outcomeOf(email, send.status, events, isOnlyOne);
    // Leaving a category can only be undone on the person's page.
    const isBlocked = reason !== undefined && reason !== 'unsubscribed_category';
    return { email, field, text, tone, isBlocked, reason };
  });
}

export const isSameAddress = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase();

function outcomeOf(
  email: string,
  status: Send['status'],
  events: readonly EmailEvent[],
  isOnlyOne: boolean,
): readonly [text: string, tone: Tone, reason?: string] {
  const latest = (type: EmailEvent['type']) =>
    events
      .filter(
        (event) =>
          event.type === type &&
          (event.recipients === undefined
            ? isOnlyOne
            : event.recipients.some((one) => isSameAddress(one.email, email))),
      )
      .at(-1);
  if (latest('complained')) return ['Delivered, then marked as spam', 'bad', 'complaint'];
  const bounce = latest('bounced');
  if (bounce) {
    const { title, tone } = bounceWords(bounce);
    return tone === 'bad' ? [title, tone, 'bounce'] : [title, tone];
  }
  if (status === 'failed') return ['Not sent', 'bad'];
  if (status === 'canceled') return ['Not sent: canceled', 'quiet'];
  if (latest('delivered')) return ['Delivered', 'good'];
  if (status === 'sending' || status === 'queued' || status === 'scheduled') {
    return sendWords[status];
  }
  if (latest('delayed')) return ['Delayed: the server isn’t accepting it yet', 'warn'];
  return events.some(({ type }) => type === 'delivered')
    ? ['No bounce so far', 'quiet']
    : ['No answer from the server yet', 'quiet'];
}
