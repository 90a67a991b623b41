import type { Driven } from './throughput.ts';

/** Does the work of each item, with so many under way at any time while there are any left. */
export async function workOff<Item>(
  items: readonly Item[],
  inFlight: number,
  work: (item: Item) => Promise<void>,
): Promise<Driven> {
  const waiting = items.values();
  const startedAt = performance.now();
  const keepWorking = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: inFlight }, keepWorking));
  return { perSecond: (1_000 * items.length) / (performance.now() - startedAt) };
}
