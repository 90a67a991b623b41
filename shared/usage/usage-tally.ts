import { type Day, dayOf } from '#shared/timing/day';
import type { ApiKeyId, OrganizationId } from '#shared/tokens/resource-id';
import type { UsageEntry } from './counted-changes.ts';
import { type Month, monthOf } from './month.ts';

/** Never empty. */
export type UsageTally = {
  readonly organizationId: OrganizationId;
  readonly month: Month;
  readonly entries: readonly UsageEntry[];
};

/** By organization and month. */
export function tallyUsage(entries: readonly UsageEntry[]): UsageTally[] {
  const groups = Map.groupBy(
    entries.map((entry) => ({ ...entry, month: monthOf(entry.at) })),
    ({ organizationId, month }) => `${organizationId} ${month}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { organizationId, month } = first;
    return [{ organizationId, month, entries: inOrder(group) }];
  });
}

type KeySend = {
  readonly sequence: string;
  readonly apiKeyId: ApiKeyId;
  readonly recipients: number;
};

/** Never empty. */
export type KeyDayTally = {
  readonly organizationId: OrganizationId;
  readonly day: Day;
  /** Each send once, in sequence, with the number of its recipients. */
  readonly entries: readonly KeySend[];
};

/** Groups by organization and day. The service's own sends have no key. */
export function tallyKeyDays(entries: readonly UsageEntry[]): KeyDayTally[] {
  const sends = entries.flatMap(({ organizationId, sequence, at, apiKeyId, counts }) =>
    apiKeyId === undefined
      ? []
      : [
          {
            organizationId,
            sequence,
            apiKeyId,
            recipients: counts.recipients ?? 0,
            day: dayOf(at),
          },
        ],
  );
  const groups = Map.groupBy(sends, ({ organizationId, day }) => `${organizationId} ${day}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { organizationId, day } = first;
    return [{ organizationId, day, entries: inOrder(group) }];
  });
}

/** Each change once, in sequence. */
function inOrder<Entry extends { readonly sequence: string }>(entries: readonly Entry[]): Entry[] {
  const bySequence = new Map(entries.map((entry) => [entry.sequence, entry]));
  return [...bySequence.values()].sort((one, other) => (one.sequence < other.sequence ? -1 : 1));
}
