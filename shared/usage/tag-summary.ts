/**
 * The sends of the busiest tags (`name:value`), and the most sends a figure may lack.
 *
 * An organization may use another tag for every send, so not every tag can have a counter. A full summary subtracts its
 * smallest counters' value from all counters, and drops those at zero (Misra and Gries, "Finding repeated elements",
 * 1982; with weights, Agarwal et al., "Mergeable summaries", 2013). With at most `maxTags` tags of ordinary length
 * nothing is ever subtracted. With more, figures lack at most one in `maxTags` of all tags given.
 */
export type TagSummary = {
  readonly sends: ReadonlyMap<string, number>;
  readonly lacking: number;
};

export const noTags: TagSummary = { sends: new Map(), lacking: 0 };

/** The number of tags with a counter, and their total length: the item stays below 12 KB. */
export const maxTags = 100;
export const maxTagCharacters = 10_000;

/** May have more counters than a single summary. */
export const sumTags = (summaries: readonly TagSummary[]): TagSummary => ({
  sends: sumsOf(summaries.flatMap(({ sends }) => [...sends])),
  lacking: summaries.reduce((sum, { lacking }) => sum + lacking, 0),
});

/** Adds one send for each tag, as far as they fit a summary. */
export function addTags({ sends, lacking }: TagSummary, tags: readonly string[]): TagSummary {
  const sums = sumsOf([...sends, ...tags.map((tag) => [tag, 1] as const)]);
  const taken = tooMuchOf(sums);
  const kept = [...sums].flatMap(([tag, count]) =>
    count > taken ? [[tag, count - taken] as const] : [],
  );
  return { sends: new Map(kept), lacking: lacking + taken };
}

function sumsOf(counts: readonly (readonly [string, number])[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [tag, count] of counts) sums.set(tag, (sums.get(tag) ?? 0) + count);
  return sums;
}

/** The count of the busiest tag that doesn't fit; 0 if all fit. */
function tooMuchOf(sums: ReadonlyMap<string, number>): number {
  let [tags, characters] = [0, 0];
  for (const [tag, count] of byCount(sums)) {
    tags += 1;
    characters += tag.length;
    if (tags > maxTags || characters > maxTagCharacters) return count;
  }
  return 0;
}

/** Busiest first, equals alphabetically. */
export const byCount = (
  sums: ReadonlyMap<string, number>,
): readonly (readonly [string, number])[] =>
  [...sums].sort(([one, more], [other, less]) => less - more || (one < other ? -1 : 1));

export const maxShown = 10;

type BusyTag = { readonly name: string; readonly value: string; readonly sends: number };

export const busiestTags = ({ sends }: TagSummary): readonly BusyTag[] =>
  byCount(sends)
    .slice(0, maxShown)
    .map(([tag, count]) => {
      const [name = '', value = ''] = tag.split(':');
      return { name, value, sends: count };
    });
