import type { Throttle } from '../../constructs/route-throttles.ts';

/** Whether a request to the route may pass now. */
export type RouteThrottle = (routeKey: string) => boolean;

type Bucket = { tokens: number; filledAt: number };

/**
 * API Gateway's token buckets, one per route: each request takes a token, and a bucket that holds `burstLimit` fills at
 * `rateLimit` a second (API Gateway guide, "Throttle requests to your HTTP APIs"). AWS's own are best effort, and let a
 * few more pass.
 *
 * @param now in milliseconds.
 */
export function createRouteThrottle(
  throttleOf: (routeKey: string) => Throttle,
  now: () => number = () => performance.now(),
): RouteThrottle {
  const buckets = new Map<string, Bucket>();
  return (routeKey) => {
    const { rateLimit, burstLimit } = throttleOf(routeKey);
    const at = now();
    const { tokens, filledAt } = buckets.get(routeKey) ?? { tokens: burstLimit, filledAt: at };
    const filled = Math.min(burstLimit, tokens + ((at - filledAt) / 1_000) * rateLimit);
    const passes = filled >= 1;
    buckets.set(routeKey, { tokens: passes ? filled - 1 : filled, filledAt: at });
    return passes;
  };
}
