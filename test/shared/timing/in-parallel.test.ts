import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inParallel } from '#shared/timing/in-parallel';

const numbers = Array.from({ length: 40 }, (_, index) => index);

describe('inParallel', () => {
  it('runs for every item, in their order', async () => {
    const begun: number[] = [];

    await inParallel(numbers, 4, async (number) => {
      begun.push(number);
      await sleep(Math.random() * 2);
    });

    expect(begun).toEqual(numbers);
  });

  it('runs for so many at a time and no more', async () => {
    let underWay = 0;
    let most = 0;

    await inParallel(numbers, 4, async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await sleep(1);
      underWay -= 1;
    });

    expect(most).toBe(4);
  });

  it('ends at once when there is nothing to do', async () => {
    await expect(inParallel([], 4, () => Promise.reject(new Error('run')))).resolves.toBe(
      undefined,
    );
  });

  it('begins nothing after a failure, and throws it when nothing is under way any more', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const run = inParallel(numbers, 4, async (number) => {
      begun.push(number);
      await sleep(number === 1 ? 1 : 10);
      if (number === 1) throw new Error('the second fails');
      ended.push(number);
    });

    await expect(run).rejects.toThrow('the second fails');

    expect(begun).toEqual([0, 1, 2, 3]);
    expect(ended).toEqual([0, 2, 3]);
  });

  it('throws the first of several failures', async () => {
    const one = Promise.withResolvers<void>();
    const other = Promise.withResolvers<void>();

    const run = inParallel([one, other], 2, ({ promise }) => promise);
    other.reject(new Error('first'));
    one.reject(new Error('second'));

    await expect(run).rejects.toThrow('first');
  });
});
