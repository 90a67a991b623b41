import { shardOf, sortableTime } from './keys.ts';

/** In `gsi1`: due work, by owner and then by time. */
export type DueIndex = {
  readonly name: string;
  /** They spread one owner's entries, because a partition takes 1,000 writes a second. */
  readonly shards: number;
};

export const duePartition = ({ name }: DueIndex, shard: number): string => `${name}#${shard}`;

/** The owner is first in the sort key, so one Query reads an owner's due entries, and another skips them all. */
export const dueIndexKeyOf = (index: DueIndex, id: string, owner: string, dueAt: number) => ({
  gsi1pk: duePartition(index, shardOf(id, index.shards)),
  gsi1sk: `${owner}#${sortableTime(dueAt)}`,
});

export const beforeAllDue = '!';

/** Sort keys, both ends included. */
export const dueRange = (owner: string, now: number) => ({
  first: `${owner}#`,
  last: `${owner}#${sortableTime(now)}`,
});

/** Sorts after all of an owner's entries and before the next owner's. */
export const afterDueOf = (owner: string): string => `${owner}#~`;
