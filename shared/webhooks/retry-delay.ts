import type { Webhook } from './webhook.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How long to wait after each attempt; the last one repeats. */
const delaysMs = {
  standard: [minuteMs, 5 * minuteMs, 25 * minuteMs, hourMs],
  /** As Resend does it: eight attempts in almost 28 hours. */
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

/**
 * How many attempts its deliveries get: its own number, or the default of its format.
 *
 * @param ofDeployment the default of endpoints in the standard format.
 */
export const mostAttempts = (webhook: Retried, ofDeployment: number): number =>
  webhook.maxAttempts ??
  (webhook.format === undefined ? ofDeployment : delaysOf(webhook).length + 1);

/**
 * How long to wait after attempt `attempt` (from 1): 1, 5 and 25 minutes, then an hour each time, or as Resend does in
 * its format, minus up to a tenth at random. A longer `Retry-After` is respected up to an hour.
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
