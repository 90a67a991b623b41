/** Random numbers that a seed repeats. */
export type SeededRandom = {
  /** From 0 up to but not including 1. */
  next(): number;
  shuffle<Item>(items: readonly Item[]): Item[];
};

/** Mulberry32 (Tommy Ettinger): small, and random enough to shuffle with. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    shuffle: (items) =>
      items
        .map((item) => ({ item, order: next() }))
        .sort((one, other) => one.order - other.order)
        .map(({ item }) => item),
  };
}
