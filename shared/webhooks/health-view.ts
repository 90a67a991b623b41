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

/** How an endpoint's deliveries end, and what follows. Epoch milliseconds. */
export const healthViewSchema = z.object({
  status: z.enum(['well', 'failing', 'disabled']),
  /** When the first exhausted delivery was given up. */
  failingSince: z.optional(z.int()),
  /** Deliveries since then that used up their attempts, those that succeeded, and the exhausted share of both. */
  exhausted: z.int(),
  delivered: z.int(),
  exhaustedShare: z.number(),
  /** From when an exhausted delivery may disable the endpoint, if the trend continues. */
  disabledFrom: z.optional(z.int()),
  outlook: z.string(),
});
export type HealthView = z.infer<typeof healthViewSchema>;

/** An endpoint's health as its owner sees it at `now`, epoch milliseconds. */
export function toHealthView(
  { disabled, health }: Pick<Webhook, 'disabled' | 'health'>,
  now: number,
): HealthView {
  const isOpen = health !== undefined && health.since > windowEndedBefore(now);
  const window = disabled !== undefined || isOpen ? health : undefined;
  if (disabled !== undefined) {
    return { status: 'disabled', ...figuresOf(window), outlook: disabledOutlooks[disabled.reason] };
  }
  if (window === undefined) {
    const outlook = 'No recent delivery has run out of attempts.';
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
