import { mostRetries, silenceSeconds } from '#shared/config/event-retry-plan';

/**
 * How the retry queue of provider events behaves, on AWS and in the local twin. When, and for how long, an event is
 * tried again: `shared/config/event-retry-plan.ts`.
 */
export const eventRetrySettings = {
  /** A batch is recorded side by side. */
  batchSize: 10,
  /**
   * Batches at a time, the fewest that AWS takes. An outage of hours leaves many events behind, and sends
   * need the account's concurrency as well, of which a new account has ten. 20 events at a time are some
   * hundred a second.
   */
  concurrentBatches: 2,
  /** When a message comes back whose function did not run, or died at once. One that works on it says when. */
  visibilityTimeoutSeconds: silenceSeconds,
  /** A try that Lambda throttles may count as well: then those minutes passed with it. */
  maxReceiveCount: mostRetries,
  /** The longest that SQS has. A message takes its age along to the dead letters. */
  retentionDays: 14,
  /**
   * How long Lambda itself tries to run the function for an event that it got from SNS. It may be
   * throttled. The event is then in the retry queue, where it is seen to be late.
   */
  maxEventAgeSeconds: 60,
} as const;
