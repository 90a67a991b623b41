import { hourOf } from '#shared/timing/hour';
import type { OrganizationId } from '#shared/tokens/resource-id';
import type { MetricEntry } from './metric-changes.ts';

/** Never empty. */
export type HourTally = {
  readonly organizationId: OrganizationId;
  /** Since the epoch. */
  readonly hour: number;
  readonly entries: readonly MetricEntry[];
};

/** By organization and hour. */
export function tallyHours(entries: readonly MetricEntry[]): HourTally[] {
  const groups = Map.groupBy(
    entries,
    ({ organizationId, at }) => `${organizationId} ${hourOf(at)}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { organizationId, at } = first;
    return [{ organizationId, hour: hourOf(at), entries: inOrder(group) }];
  });
}

/** Each change once, in sequence. */
const inOrder = (entries: readonly MetricEntry[]): MetricEntry[] =>
  [...new Map(entries.map((entry) => [`${entry.sequence} ${entry.figure}`, entry])).values()].sort(
    (one, other) => (one.sequence < other.sequence ? -1 : 1),
  );
