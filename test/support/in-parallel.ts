/** Runs for every item, at most `width` at a time; the results are in the order of the items. */
export async function forEachInParallel<Item, Result>(
  items: readonly Item[],
  width: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const pending = items.entries();
  const work = async () => {
    for (const [index, item] of pending) results[index] = await run(item);
  };
  await Promise.all(Array.from({ length: width }, work));
  return results;
}
