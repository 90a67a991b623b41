import { createSeededRandom } from '../support/seeded-random.ts';

/** All randomness of a schedule. The seed repeats every throw. */
export type Dice = {
  chance(probability: number): boolean;
  /** An integer, both ends included. */
  between(from: number, to: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  /** One of the items. The number beside each is its weight. */
  weighted<Item>(choices: readonly (readonly [Item, number])[]): Item;
};

export function createDice(seed: number): Dice {
  const random = createSeededRandom(seed);
  const between = (from: number, to: number) => from + Math.floor(random.next() * (to - from + 1));
  return {
    chance: (probability) => random.next() < probability,
    between,
    pick: (items) => items[between(0, items.length - 1)] ?? items[0],
    weighted(choices) {
      const sum = choices.reduce((total, [, weight]) => total + weight, 0);
      let left = random.next() * sum;
      for (const [item, weight] of choices) {
        left -= weight;
        if (left < 0) return item;
      }
      throw new Error('nothing to choose from');
    },
  };
}
