/**
 * When an event of the provider that could not be recorded is tried again: 2 s after it failed, then after
 * twice as long each time, and from the seventh failure on every 90 s. A process that dies at work is followed by
 * `workSeconds` at least, and one that dies before it begins by `silenceSeconds`. Neither is shorter than the delay
 * of one that lives, so no way of failing uses up the tries in less than `leastHoursOfRetries`.
 *
 * The delays stay short, because an event may wait that has not marked its send: while the table is down, nothing
 * can. Once the table is back, the event should be recorded before a retry of the send gets there. SQS gives a
 * message at most 1,000 times, and a day of 90 s needs fewer (SQS guide, "Dead-letter queues").
 */
const longestRetryDelaySeconds = 90;
const firstRetryDelaySeconds = 2;
const leastHoursOfRetries = 24;

/** How long recording may take: the timeout of the function. */
export const recordingTimeoutSeconds = 30;

/**
 * How long nobody says of a message whether it failed. Lambda asks for six times the function's timeout (Lambda
 * guide, "Configuring a queue to use with Lambda").
 */
export const silenceSeconds = 6 * recordingTimeoutSeconds;

/** @param receiveCount how often the event was received from the retry queue, this time included. */
export const retryDelaySeconds = (receiveCount: number): number =>
  Math.min(firstRetryDelaySeconds * 2 ** Math.max(receiveCount - 1, 0), longestRetryDelaySeconds);

/** How long a message is hidden while it is worked on: until the function must have ended, or longer. */
export const workSeconds = (receiveCount: number): number =>
  Math.max(retryDelaySeconds(receiveCount), recordingTimeoutSeconds + 5);

/** How often an event is tried before it goes to the dead letters. */
export const mostRetries = countRetries(leastHoursOfRetries * 3_600);

function countRetries(leastSeconds: number): number {
  let receives = 1;
  for (let waited = 0; waited < leastSeconds; receives += 1) waited += retryDelaySeconds(receives);
  return receives;
}
