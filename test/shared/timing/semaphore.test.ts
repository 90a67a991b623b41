import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSemaphore } from '#shared/timing/semaphore';

/** Runs work of these sizes at once, and says how much was under way at most. */
async function busiestWith(most: number, sizes: readonly number[]) {
  const semaphore = createSemaphore(most);
  let taken = 0;
  let busiest = 0;
  const order: number[] = [];
  await Promise.allSettled(
    sizes.map((size, index) =>
      semaphore.run(size, async () => {
        order.push(index);
        taken += size;
        busiest = Math.max(busiest, taken);
        await Promise.resolve();
        taken -= size;
        if (index % 3 === 0) throw new Error('failed');
      }),
    ),
  );
  return { busiest, order };
}

describe('a semaphore', () => {
  it('never exceeds its size, except for one larger piece of work alone, and runs all in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.array(fc.nat({ max: 30 }), { maxLength: 20 }),
        async (most, sizes) => {
          const { busiest, order } = await busiestWith(most, sizes);

          expect(busiest).toBeLessThanOrEqual(Math.max(most, ...sizes));
          expect(order).toEqual([...sizes.keys()]);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('runs everything that fits at once', async () => {
    expect(await busiestWith(10, [4, 4, 4])).toMatchObject({ busiest: 8 });
  });

  it('returns what the work returns', async () => {
    await expect(createSemaphore(1).run(1, async () => 'done')).resolves.toBe('done');
  });
});
