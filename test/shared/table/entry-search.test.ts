import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxRead, searchEntries } from '#shared/table/entry-search';
import { sortableTime } from '#shared/table/keys';

const positionOf = (thing: number) => `${sortableTime(1_000_000 - thing)}#`;

type Kind = 'no' | 'maybe' | 'yes' | 'gone';

/** A list of things: what an entry can't tell is `maybe`, which no thing is. Counts what is read. */
function prepare(kinds: readonly Kind[], roundSizes: readonly number[]) {
  const counts = { read: 0, rounds: 0 };
  const all = kinds.map((kind, thing) => ({ position: positionOf(thing), item: { thing, kind } }));
  async function* roundsAfter(before: string | undefined) {
    let rest = all.filter(({ position }) => before === undefined || position < before);
    for (const size of roundSizes) {
      counts.rounds += 1;
      const entries = rest.slice(0, size);
      rest = rest.slice(size);
      yield { entries, isEnd: rest.length === 0 };
    }
  }
  const kindOf = (thing: number) => kinds[thing];
  const search = (limit: number, before?: string, isFiltered = true, isEager = false) =>
    searchEntries<string, number>({
      rounds: roundsAfter(before),
      ...(isFiltered && { mayMatch: ({ item }) => item['kind'] !== 'no' }),
      get: async (entries) => {
        counts.read += entries.length;
        return entries.map(({ position }) => {
          const thing = all.findIndex((one) => one.position === position);
          return kindOf(thing) === 'gone' ? undefined : thing;
        });
      },
      matches: (thing) => !isFiltered || kindOf(thing) === 'yes',
      isJudged: false,
      isEager,
      limit,
    });
  /** Follows the list to its end. */
  const searchAll = async (limit: number, isFiltered = true) => {
    const pages = [];
    for (let before: string | undefined, isEnd = false; !isEnd; isEnd = before === undefined) {
      const page = await search(limit, before, isFiltered);
      pages.push(page);
      before = page.next;
    }
    return pages;
  };
  return { search, searchAll, counts };
}

const kindArbitrary = fc.constantFrom<Kind>('no', 'no', 'no', 'maybe', 'yes', 'gone');

describe('pages of what entries and things say', () => {
  it('together have every match once, in order, and have looked at every entry once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(kindArbitrary, { maxLength: 80 }),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 10 }),
        async (kinds, sizes, limit) => {
          const pages = await prepare(kinds, sizes).searchAll(limit);

          const matches = kinds.flatMap((kind, thing) => (kind === 'yes' ? [thing] : []));
          expect(pages.flatMap(({ found }) => found)).toEqual(matches);
          expect(pages.reduce((sum, { looked }) => sum + looked, 0)).toBe(kinds.length);
          expect(pages.every(({ found }) => found.length <= limit)).toBe(true);
        },
      ),
    );
  });

  it('without a filter are full, but for the last, and the last one isn’t empty', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 10, max: 15 }),
        async (count, limit, size) => {
          const kinds = Array.from({ length: count }, (): Kind => 'yes');

          const pages = await prepare(kinds, [size, size]).searchAll(limit, false);

          expect(pages).toHaveLength(Math.ceil(count / limit));
        },
      ),
    );
  });

  it('read only what may match', async () => {
    const kinds = Array.from({ length: 1_000 }, (_, thing): Kind => (thing === 900 ? 'yes' : 'no'));
    const { search, counts } = prepare(kinds, [10, 100, 1_000]);

    const page = await search(20);

    expect(page).toEqual({ found: [900], next: undefined, looked: 1_000 });
    expect(counts.read).toBe(1);
  });

  it('ask for no further round once they are full', async () => {
    const { search, counts } = prepare(['yes', 'yes', 'no', 'yes'], [2, 2]);

    await search(1);

    expect(counts.rounds).toBe(1);
  });

  it('answer with what they have found before another round, if asked to', async () => {
    const { search, counts } = prepare(['no', 'yes', 'no', 'yes', 'no'], [1, 2, 2]);

    const page = await search(20, undefined, true, true);

    expect(page).toEqual({ found: [1], next: positionOf(2), looked: 3 });
    expect(counts.rounds).toBe(2);
  });

  it(`end after ${maxRead} things, right before the next that may match`, async () => {
    const kinds: Kind[] = [
      ...Array.from({ length: maxRead }, (): Kind => 'maybe'),
      'no',
      'no',
      'yes',
    ];
    const { search, counts } = prepare(kinds, [1_000]);

    const page = await search(20);

    expect(page).toEqual({ found: [], next: positionOf(maxRead + 1), looked: maxRead + 2 });
    expect(counts.read).toBe(maxRead);
  });
});
