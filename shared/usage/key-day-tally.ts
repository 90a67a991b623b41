import type { ApiKeyId, OrganizationId } from '#shared/tokens/resource-id';
import { type Day, dayOf } from './day.ts';
import type { UsageEntry } from './stream-record.ts';
import { inOrder } from './usage-tally.ts';

export type KeySend = {
  readonly sequence: string;
  readonly apiKeyId: ApiKeyId;
  readonly recipients: number;
};

/** What changes of one shard add to the keys of one organization on one day. It is never empty. */
export type KeyDayTally = {
  readonly organizationId: OrganizationId;
  readonly day: Day;
  /** The sends, each once, in the order of their sequence, with how many people got them. */
  readonly entries: readonly KeySend[];
};

/** Sorts the sends of a shard by organization and day. Those of the service itself have no key. */
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
