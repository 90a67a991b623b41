import type { DueReader } from '#shared/table/due-index';
import { runDue } from '#shared/table/run-due';
import type { WebhookId } from '#shared/tokens/resource-id';
import type { AttemptResult } from './attempt-delivery.ts';
import type { DeliveryReference } from './delivery.ts';
import type { DueEntry } from './delivery-store.ts';
import { firstShare, shareAfter } from './endpoint-share.ts';

/** Attempts at a time per endpoint, as this process has learned them. */
export type EndpointShares = Map<WebhookId, number>;

export type DueRun = {
  readonly now: () => number;
  readonly due: DueReader<WebhookId, DueEntry>;
  readonly shares: EndpointShares;
  readonly attempt: (delivery: DeliveryReference) => Promise<AttemptResult>;
  readonly reportFailure: (delivery: DueEntry, error: unknown) => void;
};

/** `processed` is the sum of the others; attempts that threw aren't counted. */
export type RunResult = {
  readonly processed: number;
  readonly delivered: number;
  readonly rescheduled: number;
  readonly failed: number;
};

/**
 * How long a scheduled run starts attempts. The next run starts a minute after this one did, and in between the last
 * attempts keep a slow endpoint (3 s or more) busy.
 */
export const scheduledWorkMs = 55_000;
/** For a run by HTTP: the longest attempt takes 15 s, and the answer must be out within 29 s. */
export const httpWorkMs = 10_000;

export const concurrency = 256;

/**
 * Runs attempts in parallel, including deliveries that become due during the run. Starts none after `deadline`. Runs
 * may overlap: only one can claim a delivery.
 *
 * @throws the error of reading due deliveries, once no attempt is in flight.
 */
export async function runDueDeliveries(
  deadline: number,
  { now, due, shares, attempt, reportFailure }: DueRun,
): Promise<RunResult> {
  const count = { delivered: 0, rescheduled: 0, failed: 0, not_claimed: 0, postponed: 0 };
  const quickest = new Map<WebhookId, number>();

  const shareOf = (webhookId: WebhookId) => shares.get(webhookId) ?? firstShare;
  const learn = (webhookId: WebhookId, result: AttemptResult, durationMs: number) => {
    if (result === 'delivered') {
      const quickestMs = Math.min(durationMs, quickest.get(webhookId) ?? durationMs);
      quickest.set(webhookId, quickestMs);
    }
    const quickestMs = quickest.get(webhookId) ?? durationMs;
    shares.set(webhookId, shareAfter(shareOf(webhookId), result, durationMs, quickestMs));
  };
  const attemptAndLearn = async (entry: DueEntry) => {
    const startedAt = now();
    try {
      const result = await attempt(entry);
      count[result] += 1;
      learn(entry.webhookId, result, now() - startedAt);
    } catch (error) {
      // One bad delivery must not hold up the others in every run.
      reportFailure(entry, error);
    }
  };
  await runDue(deadline, {
    now,
    due,
    concurrency,
    shareOf,
    attempt: attemptAndLearn,
  });

  const { delivered, rescheduled, failed } = count;
  return { processed: delivered + rescheduled + failed, delivered, rescheduled, failed };
}
