import type { ListEntry } from './list-reader.ts';
import type { Round } from './list-rounds.ts';

/** What one request reads of the things that a list names; more if it shows more. The next request goes on from there. */
export const maxRead = 500;

/** BatchGetItem's limit. */
const batchSize = 100;

type EntrySearch<Position extends string, Found> = {
  readonly rounds: AsyncIterable<Round<Position>>;
  /** Whether an entry's thing is worth reading. Absent: all are. */
  readonly mayMatch?: ((entry: ListEntry<Position>) => boolean) | undefined;
  /** In the entries' order; `undefined` for a thing that is gone. */
  readonly get: (entries: readonly ListEntry<Position>[]) => Promise<(Found | undefined)[]>;
  /** Absent if all match. */
  readonly matches?: ((found: Found) => boolean) | undefined;
  /** Whether `matches` knows more than `mayMatch`, so that many things are read for few that match. */
  readonly isJudged: boolean;
  /** Answers with what it has found rather than ask for another round. */
  readonly isEager?: boolean | undefined;
  readonly limit: number;
};

export type EntryPage<Position, Found> = {
  readonly found: readonly Found[];
  readonly next: Position | undefined;
  /** Entries of the list that this page has dealt with. */
  readonly looked: number;
};

/**
 * A page of what matches, from what index entries say and then from the things themselves, which may have changed
 * since. It ends when it's full, with the rounds, or after many things read.
 */
export async function searchEntries<Position extends string, Found>({
  rounds,
  mayMatch,
  get,
  matches = () => true,
  isJudged,
  isEager = false,
  limit,
}: EntrySearch<Position, Found>): Promise<EntryPage<Position, Found>> {
  const found: Found[] = [];
  const mostRead = Math.max(maxRead, 2 * limit);
  let read = 0;
  let looked = 0;
  let last: Position | undefined;
  for await (const { entries, isEnd } of rounds) {
    const likely = mayMatch === undefined ? entries : entries.filter(mayMatch);
    // A full page goes on only to see whether it's the last.
    if (found.length >= limit && likely.length > 0) return { found, next: last, looked };
    for (let start = 0; start < likely.length; ) {
      const size = isJudged ? Math.max(batchSize, limit) : limit - found.length;
      const batch = likely.slice(start, start + Math.min(size, mostRead - read));
      const things = await get(batch);
      for (const [index, entry] of batch.entries()) {
        const thing = things[index];
        if (thing === undefined || !matches(thing)) continue;
        found.push(thing);
        if (found.length < limit) continue;
        const isLast = start + index + 1 === likely.length;
        const mayBeLast = isLast && (isEnd || mayMatch === undefined);
        if (!mayBeLast) {
          return { found, next: entry.position, looked: looked + entries.indexOf(entry) + 1 };
        }
      }
      start += batch.length;
      read += batch.length;
      const following = likely[start];
      if (read >= mostRead && following !== undefined) {
        const to = entries.indexOf(following);
        return { found, next: entries[to - 1]?.position, looked: looked + to };
      }
    }
    looked += entries.length;
    last = entries.at(-1)?.position ?? last;
    if (isEnd) return { found, next: undefined, looked };
    if (read >= mostRead || (isEager && found.length > 0)) break;
  }
  return { found, next: last, looked };
}
