import * as z from 'zod/mini';
import {
  type EndpointHealth,
  exhaustedShareOf,
  failingAfterMs,
  leastEnded,
  leastExhaustedShare,
  leastFailingMs,
  windowEndedBefore,
} from './endpoint-health.ts';
import type { DisabledReason, Webhook } from './webhook.ts';

export const healthViewSchema = z.object({
  status: z.enum(['well', 'retrying', 'failing', 'disabled']),
  /** The earlier of the first failed attempt since a success and the first exhausted delivery that counts. */
  failingSince: z.optional(z.int()),
  /** Recent deliveries that used up their attempts, those that succeeded, and the exhausted share of both. */
  exhausted: z.int(),
  delivered: z.int(),
  exhaustedShare: z.number(),
  /** When an exhausted delivery may disable the endpoint, if the trend continues. */
  disabledFrom: z.optional(z.int()),
  outlook: z.string(),
});
type HealthView = z.infer<typeof healthViewSchema>;

export function toHealthView(
  {
    disabled,
    health,
    failingSince,
    pausedAt,
  }: Pick<Webhook, 'disabled' | 'health' | 'failingSince' | 'pausedAt'>,
  now: number,
): HealthView {
  const isOpen = health !== undefined && health.since > windowEndedBefore(now);
  const window = disabled !== undefined || isOpen ? health : undefined;
  if (disabled !== undefined) {
    return {
      status: 'disabled',
      ...figuresOf(window, failingSince),
      outlook: disabledOutlooks[disabled.reason],
    };
  }
  if (window === undefined) {
    if (failingSince === undefined) {
      const outlook = pausedAt === undefined ? 'No delivery is failing.' : paused;
      return { status: 'well', ...figuresOf(undefined), outlook };
    }
    const status = now - failingSince < failingAfterMs ? 'retrying' : 'failing';
    const outlook = pausedAt === undefined ? notYetGivenUp : paused;
    return { status, ...figuresOf(undefined, failingSince), outlook };
  }
  const isAtRisk = pausedAt === undefined && exhaustedShareOf(window) >= leastExhaustedShare;
  const disabledFrom = window.since + leastFailingMs;
  return {
    status: 'failing',
    ...figuresOf(window, failingSince),
    ...(isAtRisk && { disabledFrom }),
    outlook: isAtRisk ? atRisk(disabledFrom) : pausedAt === undefined ? notAtRisk : paused,
  };
}

function figuresOf(health: EndpointHealth | undefined, failingSince = health?.since) {
  return {
    ...(failingSince !== undefined && {
      failingSince: Math.min(failingSince, health?.since ?? failingSince),
    }),
    exhausted: health?.exhausted ?? 0,
    delivered: health?.delivered ?? 0,
    exhaustedShare: health === undefined ? 0 : Math.round(exhaustedShareOf(health) * 1000) / 1000,
  };
}

const notYetGivenUp = 'No attempt has succeeded since. Failed deliveries are being retried.';

const paused = 'Its deliveries are paused: events wait, and nothing is attempted.';

const leastPercent = `${leastExhaustedShare * 100}%`;

const atRisk = (from: number): string =>
  `From ${new Date(from).toISOString()}, the next delivery to fail every attempt disables the endpoint if at least ${leastEnded} deliveries have ended by then and ${leastPercent} of them failed. It recovers once as many deliveries have succeeded as failed.`;

const notAtRisk = `The endpoint stays enabled while fewer than ${leastPercent} of its deliveries fail every attempt.`;

const enable =
  'Enable it with PATCH {"enabled": true}. Redeliveries reach it even while it is disabled.';

const disabledOutlooks: Readonly<Record<DisabledReason, string>> = {
  by_owner: `Its owner disabled it, so it gets no events. ${enable}`,
  gone: `It answered 410 (Gone), so it gets no events. ${enable}`,
  failing: `Too many deliveries failed every attempt, so it gets no events. ${enable}`,
};
