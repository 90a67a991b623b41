import type { Webhook } from './webhook.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How long to wait after each attempt; the last one repeats. */
const delaysMs = {
  standard: [minuteMs, 5 * minuteMs, 25 * minuteMs, hourMs],
  /** As Resend does it. */
  resend: [5_000, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs, 10 * hourMs],
} as const satisfies Record<string, readonly number[]>;

/** The most a `Retry-After` may ask for. */
const longestAskedMs = hourMs;

/** An attempt logs up to 1 KB of the answer, and each further one writes them all again. */
export const mostOwnAttempts = 20;

type Retried = Pick<Webhook, 'format' | 'maxAttempts'>;

const delaysOf = ({ format }: Retried): readonly number[] => delaysMs[format ?? 'standard'];

const delayAfter = (webhook: Retried, attempt: number): number => {
  const delays = delaysOf(webhook);
  return delays[attempt - 1] ?? Math.max(...delays);
};

/** One after each delay, and the first. For the standard format, that's the deployment's default, too. */
export const attemptsOfSchedule = (webhook: Retried): number => delaysOf(webhook).length + 1;

/**
 * How many attempts its deliveries get: its own number, or the default of its format.
 *
 * @param ofDeployment the default of endpoints in the standard format.
 */
export const mostAttempts = (webhook: Retried, ofDeployment: number): number =>
  webhook.maxAttempts ??
  (webhook.format === undefined ? ofDeployment : attemptsOfSchedule(webhook));

/** Such as “At once, then after 1, 5 and 25 minutes, then every hour”: when the attempts of a delivery come. */
export function retryScheduleText(webhook: Retried): string {
  const waits = [...new Set(delaysOf(webhook))].map(inWords);
  const last = waits.pop() ?? { number: 0, unit: '' };
  const parts = [...units].reverse().flatMap(({ unit }) => {
    const numbers = waits.filter((wait) => wait.unit === unit).map(({ number }) => `${number}`);
    return numbers.length === 0 ? [] : [`${joined(numbers)} ${plural(unit, numbers.join())}`];
  });
  const every = last.number === 1 ? last.unit : `${last.number} ${last.unit}s`;
  return `At once, then after ${parts.join(', ')}, then every ${every}`;
}

const units = [
  { unit: 'hour', ms: hourMs },
  { unit: 'minute', ms: minuteMs },
  { unit: 'second', ms: 1_000 },
] as const;

/** Every wait is a whole number of its longest unit. */
function inWords(waitMs: number) {
  const { unit, ms } = units.find((one) => waitMs % one.ms === 0) ?? { unit: 'millisecond', ms: 1 };
  return { number: waitMs / ms, unit };
}

const plural = (unit: string, number: string): string => (number === '1' ? unit : `${unit}s`);

const joined = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** Until the last attempt, rounded up. */
export const hoursOfSchedule = (webhook: Retried): number =>
  Math.ceil(remainingDelaysMs(webhook, 0, attemptsOfSchedule(webhook)) / hourMs);

/**
 * How long to wait after attempt `attempt` (from 1), as its format says, minus up to a tenth at random. A longer
 * `Retry-After` is respected up to an hour.
 *
 * @param jitter in [0, 1), so that deliveries that failed together aren't retried together.
 */
export function retryDelayMs(
  webhook: Retried,
  attempt: number,
  jitter: number,
  retryAfterMs = 0,
): number {
  const asked = Math.min(longestAskedMs, retryAfterMs);
  return Math.max(asked, Math.round(delayAfter(webhook, attempt) * (1 - jitter / 10)));
}

/** The waits after `attempts` attempts and before the last of `most`, if no answer asks for longer ones. */
export function remainingDelaysMs(webhook: Retried, attempts: number, most: number): number {
  let sum = 0;
  for (let attempt = attempts + 1; attempt < most; attempt += 1)
    sum += delayAfter(webhook, attempt);
  return sum;
}

/** The waits of `most` attempts, if each answer asks for the longest one. */
export function longestDelaysMs(webhook: Retried, most: number): number {
  let sum = 0;
  for (let attempt = 1; attempt <= most; attempt += 1) {
    sum += Math.max(longestAskedMs, delayAfter(webhook, attempt));
  }
  return sum;
}
