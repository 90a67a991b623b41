import { maxRetries, silenceSeconds } from '#shared/config/event-retry-plan';
import { backgroundFunctions } from '../../../functions/endpoints.ts';

// How the queues behave, on AWS and in the local twin.

/** Six times the function's timeout (Lambda guide, "Configuring a queue to use with Lambda"). */
const visibilityTimeoutOf = (
  name: 'deliver-webhooks' | 'send-queued' | 'record-test-events',
): number => 6 * backgroundFunctions[name].lambda.timeoutSeconds;

/**
 * SQS's maximum; its default is 4. A dead letter keeps its message's age, so time in this queue shortens its 14 days in
 * the dead-letter queue (SQS guide, "Using dead-letter queues").
 */
export const retentionDays = 14;

/** With fewer, a burst of throttling would make messages look dead (same page of the guide). */
const maxReceiveCount = 5;

export const webhookQueueSettings = {
  /** SQS's maximum per batch; a function makes all its attempts in parallel. */
  batchSize: 10,
  /** It's fine that a failed message comes back this late: its delivery is due a minute after it was written. */
  visibilityTimeoutSeconds: visibilityTimeoutOf('deliver-webhooks'),
  maxReceiveCount,
} as const;

export const sendQueueSettings = {
  /** Few, as each waits for its turn at the deployment's pace. */
  batchSize: 5,
  /** It's fine that a failed message comes back this late: the scheduled run finds its send within a minute. */
  visibilityTimeoutSeconds: visibilityTimeoutOf('send-queued'),
  maxReceiveCount,
} as const;

export const testEventSettings = {
  batchSize: 10,
  /** AWS's minimum: real emails need the account's concurrency. */
  concurrentBatches: 2,
  visibilityTimeoutSeconds: visibilityTimeoutOf('record-test-events'),
  maxReceiveCount,
} as const;

/** Retries of provider events. When, and for how long: `shared/config/event-retry-plan.ts`. */
export const eventRetrySettings = {
  batchSize: 10,
  /**
   * AWS's minimum: an outage leaves many events behind, and sends need the account's concurrency too (a new account has
   * ten). 20 events at a time are some hundred a second.
   */
  concurrentBatches: 2,
  /** For a message whose function didn't run or died at once. A running function sets another time. */
  visibilityTimeoutSeconds: silenceSeconds,
  /** A throttled try counts too, but also takes minutes. */
  maxReceiveCount: maxRetries,
  /**
   * How long Lambda itself retries an event from SNS, for example while throttled. After that, the event is in the
   * retry queue, where its lateness shows.
   */
  maxEventAgeSeconds: 60,
} as const;

/** Events of EventBridge about tenants, which have no queue of ours. */
export const tenantEventSettings = {
  /** How long EventBridge and Lambda try. The daily check of identities finds the events that they give up on. */
  maxEventAgeHours: 1,
} as const;
