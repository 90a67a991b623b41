/**
 * When an SES event that couldn't be recorded is retried: 2 s after the failure, doubling each time, and every 90 s
 * from the seventh failure on. After a crash during work the delay is at least `workSeconds`, before work
 * `silenceSeconds`. So no way of failing uses up the tries in less than `leastHoursOfRetries`.
 *
 * Delays stay short because a waiting event may not have marked its send yet. Once the table is back, the event should
 * be recorded before a retry of the send arrives. SQS delivers a message at most 1,000 times, and a day of 90 s delays
 * needs fewer (SQS guide, "Dead-letter queues").
 */
const longestRetryDelaySeconds = 90;
const firstRetryDelaySeconds = 2;
const leastHoursOfRetries = 24;

export const recordingTimeoutSeconds = 30;

/**
 * The visibility timeout while a message's outcome is unknown. Lambda asks for six times the function's timeout (Lambda
 * guide, "Configuring a queue to use with Lambda").
 */
export const silenceSeconds = 6 * recordingTimeoutSeconds;

/** @param receiveCount how often the retry queue has delivered the event, including now. */
export const retryDelaySeconds = (receiveCount: number): number =>
  Math.min(firstRetryDelaySeconds * 2 ** Math.max(receiveCount - 1, 0), longestRetryDelaySeconds);

/** How long a message stays hidden during work: at least until the function must have ended. */
export const workSeconds = (receiveCount: number): number =>
  Math.max(retryDelaySeconds(receiveCount), recordingTimeoutSeconds + 5);

/** Tries before an event goes to the dead-letter queue. */
export const maxRetries = countRetries(leastHoursOfRetries * 3_600);

function countRetries(leastSeconds: number): number {
  let receives = 1;
  for (let waited = 0; waited < leastSeconds; receives += 1) waited += retryDelaySeconds(receives);
  return receives;
}
