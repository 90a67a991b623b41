import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createPace } from '#shared/timing/pace';

it('begins no more turns than its rate, and saves none up while nobody asks', async () => {
  const pauses = fc.array(fc.nat({ max: 3_000 }), { minLength: 2, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 100 }), pauses, async (perSecond, idle) => {
      let time = 1_750_000_000_000;
      const takeTurn = createPace(async () => perSecond, {
        now: () => time,
        wait: async (ms) => {
          time += ms;
        },
      });
      const turns: number[] = [];
      for (const pause of idle) {
        time += pause;
        const asked = time;
        await takeTurn();
        turns.push(time);
        expect(time - asked).toBeLessThanOrEqual(1_000 / perSecond + 0.01);
      }

      const gaps = turns.slice(1).map((turn, index) => turn - (turns[index] ?? turn));
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000 / perSecond - 0.01);
    }),
  );
});

/** A pace whose clock stands still, and how long each turn had to wait. */
function openStill(perSecond: number) {
  const waits: number[] = [];
  const clock = { now: () => 0, wait: async (ms: number) => waits.push(ms) };
  return { takeTurn: createPace(async () => perSecond, clock), waits };
}

it('gives those who ask at once one turn after the other', async () => {
  const { takeTurn, waits } = openStill(4);

  await Promise.all([takeTurn(), takeTurn(), takeTurn()]);

  expect(waits).toEqual([250, 500]);
});

it('lets who takes several turns go at once, and the next one later', async () => {
  const { takeTurn, waits } = openStill(4);

  await Promise.all([takeTurn(3), takeTurn()]);

  expect(waits).toEqual([750]);
});

it('holds nobody up for more than ten seconds, however slow it is', async () => {
  const { takeTurn, waits } = openStill(0.01);

  await Promise.all([takeTurn(50), takeTurn()]);

  expect(waits).toEqual([10_000]);
});

it('refuses a turn that would come too late, once its time is over, and leaves it to others', async () => {
  const { takeTurn, waits } = openStill(1);

  const taken = await Promise.all([
    takeTurn(3, 2_000),
    takeTurn(1, 2_000),
    takeTurn(1, 3_000),
    takeTurn(),
  ]);

  expect(taken).toEqual([true, false, true, true]);
  expect(waits).toEqual([2_000, 3_000, 4_000]);
});
