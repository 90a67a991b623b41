import { type Notice, newNotice } from '#shared/notices/notice';
import type { Day } from '#shared/timing/day';
import { type ApiKeyId, organizationIdOf } from '#shared/tokens/resource-id';
import type { KeyDay } from './key-day-store.ts';
import type { KeyDayTally } from './usage-tally.ts';

/** A key spikes at this many times its usual day. */
const spikeFactor = 10;
/** Fewer are no spike, whatever is usual. */
export const leastSpikeRecipients = 100;
/** A key that sent on fewer days has no usual day. */
const leastUsualDays = 3;

/** A key is checked each time a shard has counted this many more recipients. */
export const lookEvery = 25;

/** Keys whose count in the shard has passed another `lookEvery`, because a check reads a month. */
export function keysToLookAt({ entries }: KeyDayTally, { recipients }: KeyDay): ApiKeyId[] {
  const byKey = Map.groupBy(entries, ({ apiKeyId }) => apiKeyId);
  return [...byKey].flatMap(([apiKeyId, sends]) => {
    const added = sends.reduce((sum, send) => sum + send.recipients, 0);
    const after = recipients.get(apiKeyId) ?? 0;
    const steps = Math.floor(after / lookEvery) - Math.floor((after - added) / lookEvery);
    return steps > 0 ? [apiKeyId] : [];
  });
}

/** The median of the days on which it sent at all, so neither weekends nor an earlier spike shift it. */
export function usualOf(counts: readonly number[]): number | undefined {
  const sorted = counts.filter((count) => count > 0).toSorted((one, other) => one - other);
  return sorted.length < leastUsualDays ? undefined : sorted[Math.floor(sorted.length / 2)];
}

/** @param days the organization's, until `day`. */
export function spikeNotice(
  apiKeyId: ApiKeyId,
  day: Day,
  days: readonly KeyDay[],
  now: number,
): Notice | undefined {
  const byDay = new Map<Day, number>();
  for (const part of days) {
    byDay.set(part.day, (byDay.get(part.day) ?? 0) + (part.recipients.get(apiKeyId) ?? 0));
  }
  const sent = byDay.get(day) ?? 0;
  byDay.delete(day);
  const usual = usualOf([...byDay.values()]);
  if (usual === undefined) return undefined;
  const spike = Math.max(leastSpikeRecipients, spikeFactor * usual);
  if (sent < spike) return undefined;
  const path = `/api/v1/api-keys/${apiKeyId}`;
  const content = {
    cause: 'key_spiking',
    about: apiKeyId,
    subject: 'One of your API keys is sending far more than usual',
    text: `The API key ${apiKeyId} sent to ${sent} recipients on ${day} (UTC). On a typical day it sends to ${usual}.

If you didn't expect this, the key may have leaked. Revoke it with DELETE ${path}, or replace it with POST ${path}/rotate. GET /api/v1/sends shows what it sent.

A daily cap limits what a leaked key can do: PATCH ${path} {"dailyCap": ${spike}}.`,
  } as const;
  return newNotice(organizationIdOf(apiKeyId), content, now);
}
