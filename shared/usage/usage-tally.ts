import type { OrganizationId } from '#shared/tokens/resource-id';
import type { Month } from './month.ts';
import type { UsageEntry } from './stream-record.ts';

/** What changes of one shard add to one organization's month. It is never empty. */
export type UsageTally = {
  readonly organizationId: OrganizationId;
  readonly month: Month;
  /** Each once, in the order of their sequence. */
  readonly entries: readonly UsageEntry[];
};

/** Sorts a shard's changes by organization and month. */
export function tallyUsage(entries: readonly UsageEntry[]): UsageTally[] {
  const groups = Map.groupBy(entries, ({ organizationId, month }) => `${organizationId} ${month}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { organizationId, month } = first;
    return [{ organizationId, month, entries: inOrder(group) }];
  });
}

function inOrder(entries: readonly UsageEntry[]): UsageEntry[] {
  const bySequence = new Map(entries.map((entry) => [entry.sequence, entry]));
  return [...bySequence.values()].sort((one, other) => (one.sequence < other.sequence ? -1 : 1));
}

/**
 * The entries that are left to count when all up to `mark` are counted.
 *
 * Lambda hands over a shard's changes in order the first time. Repeats may come in any order (Lambda guide,
 * "services-ddb-windows"). So whatever stands at or below the mark is a repeat.
 */
export const entriesAfter = (entries: readonly UsageEntry[], mark: string): UsageEntry[] =>
  entries.filter(({ sequence }) => sequence > mark);
