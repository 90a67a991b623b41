/**
 * At most `width` at a time. After a failure it starts no more items, and throws once the running ones have finished.
 */
export async function inParallel<Item>(
  items: readonly Item[],
  width: number,
  run: (item: Item) => Promise<void>,
): Promise<void> {
  const pending = items.values();
  const failures: unknown[] = [];
  const work = async () => {
    for (const item of pending) {
      if (failures.length > 0) return;
      try {
        await run(item);
      } catch (failure) {
        failures.push(failure);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, work));
  if (failures.length > 0) throw failures[0];
}
