/**
 * What an organization has used of its day is checked, and noted on the organization, each time a shard of
 * the stream has counted another hundredth of its limit. So a limit applies late: by the stream's half a
 * minute, and by one hundredth per open shard. That is enough against a tenant that would use up SES's daily
 * quota, and free for sends.
 */
const looksPerLimit = 100;

/** Whether a shard that just counted `added` recipients, `counted` in the day so far, should check. */
export function isTimeToLook(added: number, counted: number, limit: number): boolean {
  const step = Math.max(1, Math.floor(limit / looksPerLimit));
  return Math.floor(counted / step) > Math.floor((counted - added) / step);
}
