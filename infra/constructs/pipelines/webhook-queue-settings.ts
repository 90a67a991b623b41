/**
 * Of deliver-webhooks. An attempt takes up to 15 s and some calls to the table, and a batch makes its
 * attempts side by side. No longer than an attempt's lease (30 s): what is left of a function that ran
 * out of time must not meet the next attempt at the same delivery.
 */
export const firstAttemptsTimeoutSeconds = 30;

/**
 * Of run-webhook-queue. A scheduled run begins attempts for 55 s; the one that begins last has the whole
 * of its lease. The next run begins meanwhile, in another sandbox.
 */
export const dueRunTimeoutSeconds = 85;

/** How the queue of first attempts behaves, on AWS and in the local twin. */
export const webhookQueueSettings = {
  /** The most that SQS gives at a time; a function makes all its attempts side by side. */
  batchSize: 10,
  /**
   * Six times the function's timeout (Lambda guide, "Configuring a queue to use with Lambda"). That a
   * failed message comes back so late costs nothing: its row is due a minute after it was written.
   */
  visibilityTimeoutSeconds: 6 * firstAttemptsTimeoutSeconds,
  /** Fewer, and a burst of throttling would make messages look dead (the same page of the guide). */
  maxReceiveCount: 5,
} as const;
