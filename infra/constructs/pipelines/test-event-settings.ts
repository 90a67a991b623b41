import { backgroundFunctions } from '../../../functions/endpoints.ts';

/** How the queue of test emails' events behaves, on AWS and in the local twin. */
export const testEventSettings = {
  /** A batch is recorded side by side. */
  batchSize: 10,
  /** The fewest that AWS takes: real emails need the account's concurrency. */
  concurrentBatches: 2,
  /** Six times the function's timeout (Lambda guide, "Configuring a queue to use with Lambda"). */
  visibilityTimeoutSeconds: 6 * backgroundFunctions['record-test-events'].timeoutSeconds,
  /** Fewer, and a burst of throttling would make messages look dead (the same page of the guide). */
  maxReceiveCount: 5,
} as const;
