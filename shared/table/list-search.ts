import { sortableTime } from './keys.ts';
import { timeAt } from './list-position.ts';

export type Search<Position, Found> = {
  /** Where the previous page ended. */
  readonly before?: Position | undefined;
  /** Includes `since`, excludes `until`: epoch milliseconds. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly limit: number;
  /** Absent if all match. */
  readonly matches?: ((found: Found) => boolean) | undefined;
};

/** Reads index entries, then the items they name. */
type SearchedList<Entry, Found> = {
  /** The newest `count` entries, or the newest below a position or a time (`sortableTime`). */
  readonly find: (before: string | undefined, count: number) => Promise<readonly Entry[]>;
  /** In the entries' order; `undefined` for an item that is gone. */
  readonly get: (entries: readonly Entry[]) => Promise<readonly (Found | undefined)[]>;
};

export type SearchPage<Position, Found> = {
  readonly found: readonly Found[];
  readonly next: Position | undefined;
};

/** BatchGetItem's limit. */
const batchSize = 100;
/** Entries read per search. The next request continues from there. */
export const maxExamined = 500;

export async function searchList<
  Position extends string,
  Entry extends { readonly position: Position },
  Found,
>(
  list: SearchedList<Entry, Found>,
  { before, since = 0, until, limit, matches }: Search<Position, Found>,
): Promise<SearchPage<Position, Found>> {
  const found: Found[] = [];
  const size = matches === undefined ? Math.min(limit, batchSize) : batchSize;
  let last = before;
  for (let examined = 0; examined < maxExamined; examined += size) {
    // One extra entry shows whether the list continues, without another request.
    const entries = await list.find(earlier(last, until), size + 1);
    const inTime = entries.filter(({ position }) => timeAt(position) >= since);
    const batch = inTime.slice(0, size);
    const things = await list.get(batch);
    for (const [index, { position }] of batch.entries()) {
      last = position;
      const thing = things[index];
      if (thing !== undefined && (matches?.(thing) ?? true)) found.push(thing);
      const isFull = found.length === limit;
      if (isFull) return { found, next: inTime.length > index + 1 ? last : undefined };
    }
    if (inTime.length <= size) return { found, next: undefined };
  }
  return { found, next: last };
}

function earlier(position: string | undefined, until: number | undefined): string | undefined {
  const end = until === undefined ? undefined : sortableTime(until);
  if (position === undefined || end === undefined) return position ?? end;
  return position < end ? position : end;
}
