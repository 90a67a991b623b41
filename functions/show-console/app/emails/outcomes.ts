import { listedOutcomes } from '#shared/send-history/listed-outcomes';
import type { Answer } from '../../../api.ts';
import { shorten } from '../shared/format.ts';
import type { GlyphName } from '../shared/glyphs.ts';
import { every, type Tone } from '../shared/words.ts';
import { isDrop } from '../suppressions/bounces.ts';

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

/** Outcomes that this page doesn't know yet are shown unchanged. */
function wordsOf(outcome: Send['outcome']): readonly [text: string, tone: Tone] {
  const known = outcomes.find((one) => one === outcome);
  return known ? outcomeWords[known] : [shorten(outcome, 40), 'quiet'];
}

/** @param events needed if the send has no `cause`. */
export function badgeOf(
  { outcome, cause }: Pick<Send, 'outcome' | 'cause'>,
  events: readonly EmailEvent[] = [],
): readonly [text: string, tone: Tone] {
  const bounced = cause ? [cause] : events.filter(({ type }) => type === 'bounced');
  if (outcome === 'bounced' && bounced.length > 0 && bounced.every(isDrop)) {
    return ['Dropped', 'warn'];
  }
  return wordsOf(outcome);
}

export const outcomeTone = (outcome: Send['outcome']): Tone => wordsOf(outcome)[1];

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

type Recipient = EmailStory['recipients'][number];

export type Outcome = {
  readonly email: string;
  readonly field: 'To' | 'Cc' | 'Bcc';
  readonly text: string;
  readonly tone: Tone;
  readonly verdict: Recipient['verdict'];
  /** Whether lifting a suppression may help. */
  readonly isBlocked: boolean;
  readonly reason: string | undefined;
};

/** How many recipients there are besides the first `to`. */
export const othersIn = ({ to = [''], cc, bcc }: Pick<Send, 'to' | 'cc' | 'bcc'>): number =>
  to.length - 1 + cc.length + bcc.length;

const fields = { to: 'To', cc: 'Cc', bcc: 'Bcc' } as const;

export const outcomesOf = ({ recipients }: EmailStory): Outcome[] =>
  recipients.map(({ email, field, outcome, verdict }) => {
    const [text, tone] = wordsOf(outcome);
    const reason = suppressedFor(outcome, verdict);
    return {
      email,
      field: fields[field],
      text,
      tone,
      verdict,
      reason,
      isBlocked: reason !== undefined,
    };
  });

/**
 * Why the address is probably suppressed now. Leaving a category can only be undone on the person's page, and what SES
 * dropped suppresses nobody.
 */
function suppressedFor(
  outcome: Send['outcome'],
  { code }: Recipient['verdict'],
): string | undefined {
  const isDropped = code === 'on_ses_list' || code === 'doubted_by_ses';
  if (outcome === 'bounced') return isDropped ? undefined : 'bounce';
  switch (code) {
    case 'suppressed_bounce':
      return 'bounce';
    case 'suppressed_complaint':
    case 'complained':
      return 'complaint';
    case 'suppressed_manual':
      return 'manual';
    case 'unsubscribed':
      return 'unsubscribe';
    default:
      return undefined;
  }
}

export const isSameAddress = (one: string, other: string): boolean =>
  one.toLowerCase() === other.toLowerCase();
