import { describe, expect, it } from 'vitest';
import { sortableTime } from '#shared/table/keys';
import { maxExamined, type Search, searchList } from '#shared/table/list-search';

const now = 1_750_000_000_000;
const timeOf = (thing: number) => now - thing * 1_000;
const positionOf = (thing: number) => `${sortableTime(timeOf(thing))}#`;

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** A list of things, the newest first: number 7 is seven seconds old. Records how much of it is read. */
function prepare(count: number) {
  const counts = { entries: 0, things: 0 };
  const entries = numbers(count).map((thing) => ({ thing, position: positionOf(thing) }));
  const search = (query: Partial<Search<string, number>> = {}, gone?: number) =>
    searchList(
      {
        find: async (before, most) => {
          const below = entries.filter(({ position }) => before === undefined || position < before);
          const found = below.slice(0, most);
          counts.entries += found.length;
          return found;
        },
        get: async (page) => {
          counts.things += page.length;
          return page.map(({ thing }) => (thing === gone ? undefined : thing));
        },
      },
      { limit: 20, ...query },
    );
  /** Follows the list to its end. */
  const searchAll = async (query: Partial<Search<string, number>>) => {
    const pages: (readonly number[])[] = [];
    for (let before: string | undefined; ; ) {
      const { found, next } = await search({ ...query, before });
      pages.push(found);
      if (next === undefined) return pages;
      before = next;
    }
  };
  return { search, searchAll, counts };
}

const everyTenth = (thing: number) => thing % 10 === 9;

describe('a page of a list', () => {
  it('is empty, and the last one, when the list is empty', async () => {
    expect(await prepare(0).search()).toEqual({ found: [], next: undefined });
  });

  it.each([
    [19, undefined],
    [20, undefined],
    [21, positionOf(19)],
  ])('of %i things has the newest 20, and says whether there are more: %s', async (count, next) => {
    expect(await prepare(count).search()).toEqual({ found: numbers(count).slice(0, 20), next });
  });

  it('reads no more than it shows, and one entry to know whether there are more', async () => {
    const { search, counts } = prepare(300);

    await search({ limit: 7 });

    expect(counts).toEqual({ entries: 8, things: 7 });
  });

  it.each([1, 20, 100])('of %i leads to the next until each was shown once', async (limit) => {
    const pages = await prepare(205).searchAll({ limit });

    expect(pages.flat()).toEqual(numbers(205));
    expect(pages).toHaveLength(Math.ceil(205 / limit));
  });

  it('leaves out what is no longer there', async () => {
    expect(await prepare(3).search({}, 0)).toEqual({ found: [1, 2], next: undefined });
  });
});

describe('a page of what matches', () => {
  it('has as many as the limit, however far apart they are', async () => {
    const { found } = await prepare(300).search({ limit: 15, matches: everyTenth });

    expect(found).toEqual(numbers(300).filter(everyTenth).slice(0, 15));
  });

  it.each([1, 3, 100])('of %i leads to the next until each was shown once', async (limit) => {
    const pages = await prepare(1_203).searchAll({ limit, matches: everyTenth });

    expect(pages.flat()).toEqual(numbers(1_203).filter(everyTenth));
  });

  it('is the last one when its last match ends the list', async () => {
    expect(await prepare(10).search({ limit: 1, matches: everyTenth })).toMatchObject({
      next: undefined,
    });
  });

  it(`ends after ${maxExamined} things that were read, with a position to continue at`, async () => {
    const { search, counts } = prepare(maxExamined + 10);
    const matches = (thing: number) => thing > maxExamined;

    const first = await search({ matches });

    expect(first).toEqual({ found: [], next: positionOf(maxExamined - 1) });
    expect(counts.things).toBe(maxExamined);
    expect((await search({ matches, before: first.next })).found).toHaveLength(9);
  });
});

describe('a list between two moments', () => {
  it('includes the first moment and not the last', async () => {
    const pages = await prepare(50).searchAll({ since: timeOf(30), until: timeOf(10), limit: 8 });

    expect(pages.flat()).toEqual(numbers(31).slice(11));
    expect(pages).toHaveLength(3);
  });

  it('is empty when they are in the future', async () => {
    const page = await prepare(3).search({ since: now + 1, matches: everyTenth });

    expect(page).toEqual({ found: [], next: undefined });
  });

  it('reads nothing that is older', async () => {
    const { search, counts } = prepare(2_000);

    await search({ since: now, limit: maxExamined, matches: everyTenth });

    expect(counts.things).toBe(1);
  });
});
