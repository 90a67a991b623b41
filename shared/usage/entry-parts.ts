/**
 * Cuts entries, in their order, into parts that name at most so many things each: an update names each of its
 * counters, and an expression has 4 KB (DynamoDB developer guide, "Quotas").
 */
export function partsOf<Entry>(
  entries: readonly Entry[],
  nameOf: (entry: Entry) => string,
  mostNames: number,
): readonly (readonly Entry[])[] {
  const parts: Entry[][] = [];
  let names = new Set<string>();
  for (const entry of entries) {
    names.add(nameOf(entry));
    if (parts.length === 0 || names.size > mostNames) {
      parts.push([]);
      names = new Set([nameOf(entry)]);
    }
    parts.at(-1)?.push(entry);
  }
  return parts;
}
