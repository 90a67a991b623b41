/**
 * When an event of the provider that could not be recorded is tried again: 2 s after it failed, then after
 * twice as long each time, and from the eleventh failure on each half hour. A process that dies without
 * saying when is followed by the longest delay, which is the queue's own visibility timeout. So no way of
 * failing uses up the tries in less than `leastHoursOfRetries`.
 */
export const longestRetryDelaySeconds = 1_800;
const firstRetryDelaySeconds = 2;
const leastHoursOfRetries = 24;

/** @param receiveCount how often the event was received from the retry queue, this time included. */
export const retryDelaySeconds = (receiveCount: number): number =>
  Math.min(firstRetryDelaySeconds * 2 ** Math.max(receiveCount - 1, 0), longestRetryDelaySeconds);

/** How often an event is tried before it goes to the dead letters. */
export const mostRetries = countRetries(leastHoursOfRetries * 3_600);

function countRetries(leastSeconds: number): number {
  let receives = 1;
  for (let waited = 0; waited < leastSeconds; receives += 1) waited += retryDelaySeconds(receives);
  return receives;
}
