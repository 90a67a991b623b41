import type { OrganizationId } from '#shared/tokens/resource-id';
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

/** Each change once, in sequence. */
export function inOrder<Entry extends { readonly sequence: string }>(
  entries: readonly Entry[],
): Entry[] {
  const bySequence = new Map(entries.map((entry) => [entry.sequence, entry]));
  return [...bySequence.values()].sort((one, other) => (one.sequence < other.sequence ? -1 : 1));
}
