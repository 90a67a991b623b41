import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addTags,
  busiestTags,
  maxTagCharacters,
  maxTags,
  noTags,
  sumTags,
  type TagSummary,
} from '#shared/usage/tag-summary';

/** Batches of tags: some are frequent, most occur once. */
const tag = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('kind:reset', 'kind:welcome', 'env:prod') },
  { weight: 3, arbitrary: fc.nat({ max: 2_000 }).map((id) => `order:${id}`) },
  { weight: 1, arbitrary: fc.nat({ max: 90 }).map((id) => `long:${'x'.repeat(250)}${id}`) },
);
const batches = fc.array(fc.array(tag, { minLength: 1, maxLength: 300 }), { maxLength: 6 });

const counted = (all: readonly (readonly string[])[]): TagSummary => all.reduce(addTags, noTags);
const timesIn = (all: readonly string[]) =>
  new Map([...Map.groupBy(all, (one) => one)].map(([one, list]) => [one, list.length]));

describe('a tag summary', () => {
  it('undercounts by at most what it says, and never overcounts', () => {
    fc.assert(
      fc.property(batches, batches, (one, other) => {
        const given = [...one, ...other].flat();
        const { sends, lacking } = sumTags([counted(one), counted(other)]);

        for (const [name, times] of timesIn(given)) {
          expect(sends.get(name) ?? 0).toBeLessThanOrEqual(times);
          expect((sends.get(name) ?? 0) + lacking).toBeGreaterThanOrEqual(times);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('keeps no more counters and characters than fit', () => {
    fc.assert(
      fc.property(batches, (all) => {
        const { sends } = counted(all);

        expect(sends.size).toBeLessThanOrEqual(maxTags);
        expect([...sends.keys()].join('').length).toBeLessThanOrEqual(maxTagCharacters);
      }),
      { numRuns: 100 },
    );
  });

  it('is exact for as many tags as have a counter', () => {
    const tags = Array.from({ length: maxTags }, (_, index) => `kind:${index}`);

    const { sends, lacking } = counted([tags, tags, tags]);

    expect(lacking).toBe(0);
    expect([...sends.values()]).toEqual(tags.map(() => 3));
  });

  it('finds the frequent ones among 100,000 that occur once, however late they start', () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => `order:${index}`);
    const late = Array.from({ length: 4_000 }, () => 'kind:reset');
    const stream = [...ids, ...late];
    const all: string[][] = [];
    for (let start = 0; start < stream.length; start += 500) {
      all.push(stream.slice(start, start + 500));
    }

    const summary = counted(all);

    expect(busiestTags(summary)[0]).toMatchObject({ name: 'kind', value: 'reset' });
    expect(summary.lacking).toBeLessThanOrEqual(stream.length / (maxTags + 1));
    expect((summary.sends.get('kind:reset') ?? 0) + summary.lacking).toBeGreaterThanOrEqual(4_000);
  });

  it('shows its ten most frequent, ties alphabetically', () => {
    const tags = Array.from(
      { length: 12 },
      (_, index) => `kind:${String.fromCharCode(97 + index)}`,
    );

    const shown = busiestTags(counted([['kind:z', 'kind:z'], tags.toReversed()]));

    expect(shown).toHaveLength(10);
    expect(shown.slice(0, 3)).toEqual([
      { name: 'kind', value: 'z', sends: 2 },
      { name: 'kind', value: 'a', sends: 1 },
      { name: 'kind', value: 'b', sends: 1 },
    ]);
  });
});
