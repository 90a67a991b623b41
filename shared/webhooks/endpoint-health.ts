import * as z from 'zod/mini';

/**
 * How the deliveries to an endpoint have ended since one of them used up its attempts. An endpoint that is
 * well has none, so its deliveries cost no write for it.
 *
 * | from   | to     | when                                                                            |
 * |--------|--------|---------------------------------------------------------------------------------|
 * | (none) | open   | a delivery is exhausted: it has used up its attempts                            |
 * | open   | open   | a delivery is exhausted, or a delivery succeeds while fewer have                |
 * | open   | (none) | as many have succeeded as were exhausted, or the owner enables it or moves it   |
 * | open   | anew   | a delivery is exhausted when the window is older than `longestWindowMs`         |
 *
 * So successes cost at most one write for each delivery that was exhausted.
 */
export const endpointHealthSchema = z.object({
  /** When the first of them was exhausted, epoch milliseconds. */
  since: z.int(),
  /** Deliveries that used up their attempts. */
  exhausted: z.int(),
  delivered: z.int(),
});
export type EndpointHealth = z.infer<typeof endpointHealthSchema>;

const dayMs = 86_400_000;

/**
 * An endpoint is disabled when all of this holds, at the moment when a delivery is exhausted. An answer of 410 disables
 * it at once: `attempt-delivery.ts`.
 */
export const leastFailingMs = 5 * dayMs;
export const leastEnded = 10;
export const leastExhaustedShare = 0.9;
/** After this time a window says nothing of today, and the next exhausted delivery begins another one. */
export const longestWindowMs = 15 * dayMs;

/** The owner is told before: when it has failed for a day, and half as many deliveries have ended. */
const leastFailingToWarnMs = dayMs;
const leastEndedToWarn = leastEnded / 2;

/** The health that a first exhausted delivery begins. `now` in epoch milliseconds. */
export const failingFrom = (now: number): EndpointHealth => ({
  since: now,
  exhausted: 1,
  delivered: 0,
});

/** A window that began at this moment or earlier is over. */
export const windowEndedBefore = (now: number): number => now - longestWindowMs;

/** Which part of the deliveries that ended was exhausted, from 0 to 1. */
export const exhaustedShareOf = ({ exhausted, delivered }: EndpointHealth): number =>
  exhausted / (exhausted + delivered);

/** Whether one more success ends the window: the endpoint works at least as often as not. */
export const isRecovery = ({ exhausted, delivered }: EndpointHealth): boolean =>
  delivered + 1 >= exhausted;

/**
 * Whether an endpoint is to be disabled, given all deliveries that ended. It takes deliveries that used up
 * all their attempts: attempts that fail and deliveries that get through late do not count against it.
 */
export const isToBeDisabled = (health: EndpointHealth, now: number): boolean =>
  isMostlyFailing(health, leastEnded) && now - health.since >= leastFailingMs;

/** Whether the owner of an endpoint is to be told that it will be disabled if nothing changes. */
export const isToBeWarnedOf = (health: EndpointHealth, now: number): boolean =>
  isMostlyFailing(health, leastEndedToWarn) && now - health.since >= leastFailingToWarnMs;

const isMostlyFailing = (health: EndpointHealth, leastSample: number): boolean =>
  health.exhausted + health.delivered >= leastSample &&
  exhaustedShareOf(health) >= leastExhaustedShare;
