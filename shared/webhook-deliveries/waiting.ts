import * as z from 'zod/mini';
import type { DueDelivery } from '#shared/table/delivery-keys';
import type { Table } from '#shared/table/table-client';
import { mostAttempts, remainingDelaysMs } from '#shared/webhooks/retry-delay';
import type { Webhook } from '#shared/webhooks/webhook';
import { findWaiting, type WaitingPage } from './waiting-store.ts';

export const waitingSchema = z.object({
  count: z.int(),
  /** Otherwise at least `count` wait, and the other figures are those of the ones due first. */
  isExact: z.boolean(),
  /** The oldest one's creation. */
  since: z.optional(z.int()),
  nextAttemptAt: z.optional(z.int()),
  /** When the first of them has used up its attempts, if they all fail. */
  exhaustedFrom: z.optional(z.int()),
});
export type Waiting = z.infer<typeof waitingSchema>;

type Waited = Pick<Webhook, 'id' | 'format' | 'maxAttempts' | 'pausedAt'>;

/** Of each of eight shards: about 1,000 deliveries, which cost some 25 read units. */
export const countedOfOne = 125;
/** For each endpoint of a list: about 160 deliveries, for 6 read units. */
export const countedOfEach = 20;

/** @param ofDeployment the deployment's number of attempts. */
export async function readWaiting(
  table: Table,
  webhook: Waited,
  countedPerShard: number,
  ofDeployment: number,
  now: number,
): Promise<Waiting> {
  const pages = await findWaiting(table, webhook.id, 0, countedPerShard);
  return waitingIn(pages, webhook, ofDeployment, now);
}

/**
 * Deliveries whose first attempt is only just due don't count: the queue is making it. While the endpoint is paused, they
 * do, and no time can be said.
 */
export function waitingIn(
  pages: readonly WaitingPage[],
  webhook: Waited,
  ofDeployment: number,
  now: number,
): Waiting {
  const isPaused = webhook.pausedAt !== undefined;
  const entries = pages
    .flatMap((page) => page.entries)
    .filter((entry) => isPaused || hasBeenTried(entry) || entry.dueAt <= now);
  const isExact = !pages.some(({ hasMore }) => hasMore);
  if (entries.length === 0) return { count: 0, isExact };
  const most = mostAttempts(webhook, ofDeployment);
  const ends = entries.map(
    ({ dueAt, attemptsStarted }) =>
      Math.max(dueAt, now) + remainingDelaysMs(webhook, attemptsStarted, most),
  );
  return {
    count: entries.length,
    isExact,
    since: Math.min(...entries.map(({ createdAt }) => createdAt)),
    ...(!isPaused && {
      nextAttemptAt: Math.max(now, Math.min(...entries.map(({ dueAt }) => dueAt))),
      exhaustedFrom: Math.min(...ends),
    }),
  };
}

export const hasBeenTried = ({ attemptsStarted }: Pick<DueDelivery, 'attemptsStarted'>): boolean =>
  attemptsStarted > 0;
