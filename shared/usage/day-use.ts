/**
 * What an organization has used of its day is looked at, and noted on the organization, each time a shard of the
 * stream has counted another hundredth of its limit. So a limit holds late by the stream's half a minute, and by as
 * many hundredths as shards are open: enough against a tenant that would use up SES's quota of the day, and free for
 * sends.
 */
const looksPerLimit = 100;

/** Whether a shard that has counted `added` recipients more, and has `counted` of the day now, should look. */
export function isTimeToLook(added: number, counted: number, limit: number): boolean {
  const step = Math.max(1, Math.floor(limit / looksPerLimit));
  return Math.floor(counted / step) > Math.floor((counted - added) / step);
}
