import { mostRetries, silenceSeconds } from '#shared/config/event-retry-plan';
import { backgroundFunctions } from '../../../functions/endpoints.ts';

// How the queues behave, on AWS and in the local twin.

/** Six times the function's timeout (Lambda guide, "Configuring a queue to use with Lambda"). */
const visibilityTimeoutOf = (
  name: 'deliver-webhooks' | 'send-queued' | 'record-test-events',
): number => 6 * backgroundFunctions[name].timeoutSeconds;

/** Fewer, and a burst of throttling would make messages look dead (the same page of the guide). */
const maxReceiveCount = 5;

/** First attempts at webhooks. */
export const webhookQueueSettings = {
  /** The most that SQS gives at a time; a function makes all its attempts side by side. */
  batchSize: 10,
  /** That a failed message comes back so late costs nothing: its row is due a minute after it was written. */
  visibilityTimeoutSeconds: visibilityTimeoutOf('deliver-webhooks'),
  maxReceiveCount,
} as const;

export const sendQueueSettings = {
  /** Few, as each waits for its turn at the pace of the deployment. */
  batchSize: 5,
  /** That a failed message comes back so late costs nothing: the scheduled run finds its send within a minute. */
  visibilityTimeoutSeconds: visibilityTimeoutOf('send-queued'),
  maxReceiveCount,
} as const;

/** The events of test emails. */
export const testEventSettings = {
  batchSize: 10,
  /** The fewest that AWS takes: real emails need the account's concurrency. */
  concurrentBatches: 2,
  visibilityTimeoutSeconds: visibilityTimeoutOf('record-test-events'),
  maxReceiveCount,
} as const;

/** Retries of provider events. When, and for how long: `shared/config/event-retry-plan.ts`. */
export const eventRetrySettings = {
  batchSize: 10,
  /**
   * The fewest batches that AWS takes: an outage leaves many events behind, and sends need the account's concurrency
   * too (a new account has ten). 20 events at a time are some hundred a second.
   */
  concurrentBatches: 2,
  /** When a message comes back whose function didn't run, or died at once. A function at work sets another time. */
  visibilityTimeoutSeconds: silenceSeconds,
  /** A try that Lambda throttles counts too, but takes its minutes as well. */
  maxReceiveCount: mostRetries,
  /** SQS's maximum. A message keeps its age as a dead letter. */
  retentionDays: 14,
  /**
   * How long Lambda itself tries an event from SNS, for example while throttled. Then the event is in the retry queue,
   * where its lateness shows.
   */
  maxEventAgeSeconds: 60,
} as const;
