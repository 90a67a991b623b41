import * as z from 'zod/mini';
import { dayMs } from '#shared/timing/day';

/**
 * How an endpoint's deliveries have ended since one of them used up its attempts. A healthy endpoint has no such
 * record, so its deliveries cost no extra write.
 *
 * | from   | to      | when                                                                            |
 * |--------|---------|---------------------------------------------------------------------------------|
 * | (none) | open    | a delivery is exhausted: it has used up its attempts                            |
 * | open   | open    | a delivery is exhausted, or one succeeds while fewer have succeeded             |
 * | open   | (none)  | as many have succeeded as were exhausted, or the owner enables it or moves it   |
 * | open   | new one | a delivery is exhausted when the window is older than `longestWindowMs`         |
 */
export const endpointHealthSchema = z.object({
  /** When its first delivery was exhausted. */
  since: z.int(),
  exhausted: z.int(),
  delivered: z.int(),
});
export type EndpointHealth = z.infer<typeof endpointHealthSchema>;

/** RFC 9110 §15.5.11, "Gone": one such answer disables the endpoint at once. */
export const saysGone = (statusCode: number): boolean => statusCode === 410;

/** An endpoint is disabled, too, if all of this is true when a delivery is exhausted. */
export const leastFailingMs = 5 * dayMs;
export const leastEnded = 10;
export const leastExhaustedShare = 0.9;
/** An older window says nothing about today, so the next exhausted delivery starts a new one. */
export const longestWindowMs = 15 * dayMs;

/** A single failed attempt says little. After this time, its retry has failed as well. */
export const failingAfterMs = 5 * 60_000;

/** The owner gets a warning first: after a day of failing, with half as many ended deliveries. */
const leastFailingToWarnMs = dayMs;
const leastEndedToWarn = leastEnded / 2;

export const failingFrom = (now: number): EndpointHealth => ({
  since: now,
  exhausted: 1,
  delivered: 0,
});

export const windowEndedBefore = (now: number): number => now - longestWindowMs;

/** From 0 to 1. */
export const exhaustedShareOf = ({ exhausted, delivered }: EndpointHealth): number =>
  exhausted / (exhausted + delivered);

export const isRecovery = ({ exhausted, delivered }: EndpointHealth): boolean =>
  delivered + 1 >= exhausted;

/** Only deliveries that used up all their attempts count against it: failed attempts and late deliveries don't. */
export const isToBeDisabled = (health: EndpointHealth, now: number): boolean =>
  isMostlyFailing(health, leastEnded) && now - health.since >= leastFailingMs;

export const isToBeWarnedOf = (health: EndpointHealth, now: number): boolean =>
  isMostlyFailing(health, leastEndedToWarn) && now - health.since >= leastFailingToWarnMs;

const isMostlyFailing = (health: EndpointHealth, leastSample: number): boolean =>
  health.exhausted + health.delivered >= leastSample &&
  exhaustedShareOf(health) >= leastExhaustedShare;
