import { backgroundFunctions } from '../../../functions/endpoints.ts';

/** How the queue of sends behaves, on AWS and in the local twin. */
export const sendQueueSettings = {
  /** Few, as each waits for its turn at the pace of the deployment. */
  batchSize: 5,
  /**
   * Six times the function's timeout (Lambda guide, "Configuring a queue to use with Lambda"). That a failed message
   * comes back so late costs nothing: the scheduled run finds its send within a minute.
   */
  visibilityTimeoutSeconds: 6 * backgroundFunctions['send-queued'].timeoutSeconds,
  /** Fewer, and a burst of throttling would make messages look dead (the same page of the guide). */
  maxReceiveCount: 5,
} as const;
