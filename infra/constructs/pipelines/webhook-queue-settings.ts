import { backgroundFunctions } from '../../../functions/endpoints.ts';

/** How the queue of first attempts behaves, on AWS and in the local twin. */
export const webhookQueueSettings = {
  /** The most that SQS gives at a time; a function makes all its attempts side by side. */
  batchSize: 10,
  /**
   * Six times the function's timeout (Lambda guide, "Configuring a queue to use with Lambda"). That a
   * failed message comes back so late costs nothing: its row is due a minute after it was written.
   */
  visibilityTimeoutSeconds: 6 * backgroundFunctions['deliver-webhooks'].timeoutSeconds,
  /** Fewer, and a burst of throttling would make messages look dead (the same page of the guide). */
  maxReceiveCount: 5,
} as const;
