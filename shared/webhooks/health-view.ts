import * as z from 'zod/mini';
import {
  type EndpointHealth,
  exhaustedShareOf,
  leastEnded,
  leastExhaustedShare,
  leastFailingMs,
  windowEndedBefore,
} from './endpoint-health.ts';
import type { DisabledReason, Webhook } from './webhook.ts';

/** How an endpoint is, and what will become of it. Moments in epoch milliseconds. */
export const healthViewSchema = z.object({
  status: z.enum(['well', 'failing', 'disabled']),
  /** When the first of the exhausted deliveries was given up. */
  failingSince: z.optional(z.int()),
  /** Deliveries since then that used up their attempts, those that succeeded, and the share of the former. */
  exhausted: z.int(),
  delivered: z.int(),
  exhaustedShare: z.number(),
  /** The moment from which an exhausted delivery may disable it, if its deliveries go on as they do. */
  disabledFrom: z.optional(z.int()),
  outlook: z.string(),
});
export type HealthView = z.infer<typeof healthViewSchema>;

/** The health of an endpoint as its owner sees it at the moment `now`, epoch milliseconds. */
export function toHealthView({ disabled, health }: Webhook, now: number): HealthView {
  const isOpen = health !== undefined && health.since > windowEndedBefore(now);
  const window = disabled !== undefined || isOpen ? health : undefined;
  if (disabled !== undefined) {
    return { status: 'disabled', ...figuresOf(window), outlook: disabledOutlooks[disabled.reason] };
  }
  if (window === undefined) {
    const outlook = 'No delivery was given up lately. The endpoint stays enabled.';
    return { status: 'well', ...figuresOf(undefined), outlook };
  }
  const isAtRisk = exhaustedShareOf(window) >= leastExhaustedShare;
  const disabledFrom = window.since + leastFailingMs;
  return {
    status: 'failing',
    ...figuresOf(window),
    ...(isAtRisk && { disabledFrom }),
    outlook: isAtRisk ? atRisk(disabledFrom) : notAtRisk,
  };
}

const figuresOf = (health: EndpointHealth | undefined) => ({
  ...(health && { failingSince: health.since }),
  exhausted: health?.exhausted ?? 0,
  delivered: health?.delivered ?? 0,
  exhaustedShare: health === undefined ? 0 : Math.round(exhaustedShareOf(health) * 1000) / 1000,
});

const leastPercent = `${leastExhaustedShare * 100} %`;

const atRisk = (from: number): string =>
  `From ${new Date(from).toISOString()} on, the next delivery that uses up its attempts disables the endpoint, if at least ${leastEnded} deliveries have ended by then and ${leastPercent} of them were given up. It is well again once as many have succeeded as were given up.`;

const notAtRisk = `The endpoint stays enabled while fewer than ${leastPercent} of its deliveries are given up.`;

const enable = 'Enable it with PATCH {"enabled": true}. Redeliveries reach it also while disabled.';

const disabledOutlooks: Readonly<Record<DisabledReason, string>> = {
  by_owner: `Its owner disabled it, so it gets no events. ${enable}`,
  gone: `It answered 410 (Gone), so it gets no events. ${enable}`,
  failing: `Too many of its deliveries used up their attempts, so it gets no events. ${enable}`,
};
