import type { OrganizationId } from '#shared/tokens/resource-id';
import { type Month, monthOf } from './month.ts';
import type { UsageEntry } from './stream-record.ts';

/** What one shard's changes add to one organization's month. Never empty. */
export type UsageTally = {
  readonly organizationId: OrganizationId;
  readonly month: Month;
  /** Each once, in the order of their sequence. */
  readonly entries: readonly UsageEntry[];
};

/** Groups a shard's changes by organization and month. */
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

/** Each entry once, in the order of their sequence. */
export function inOrder<Entry extends { readonly sequence: string }>(
  entries: readonly Entry[],
): Entry[] {
  const bySequence = new Map(entries.map((entry) => [entry.sequence, entry]));
  return [...bySequence.values()].sort((one, other) => (one.sequence < other.sequence ? -1 : 1));
}
