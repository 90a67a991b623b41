import fc from 'fast-check';
import { expect, it } from 'vitest';
import { afterRound, type RetryRounds } from '#shared/webhook-deliveries/retry-rounds';

const roundsOf = (answers: readonly (readonly [retried: number, hasMore: boolean])[]) => {
  let rounds: RetryRounds | undefined;
  for (const [retried, hasMore] of answers) {
    rounds = afterRound(rounds, { retried, hasMore });
    if (rounds.isDone) break;
  }
  return rounds;
};

it('retrying goes on without a pause while rounds find more, and pauses once one finds nothing', () => {
  expect(roundsOf([[400, true]])).toMatchObject({ retried: 400, isDone: false, pauseMs: 0 });
  expect(
    roundsOf([
      [400, true],
      [0, true],
    ]),
  ).toMatchObject({ retried: 400, isDone: false, pauseMs: 1_000 });
});

it('retrying ends after five rounds in a row that find nothing, and says that more may wait', () => {
  const idle = Array.from({ length: 5 }, () => [0, true] as const);

  expect(roundsOf(idle)).toMatchObject({ isDone: true, hasMore: true });
  expect(roundsOf([...idle.slice(1), [1, true], ...idle.slice(1)])).toMatchObject({
    isDone: false,
  });
});

it('retrying ends whenever nothing more waits, and counts each round once', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 400 })), fc.nat(400), (before, last) => {
      const rounds = roundsOf([
        ...before.map((retried) => [retried, true] as const),
        [last, false],
      ]);

      const retried = before.reduce((sum, one) => sum + one, last);
      expect(rounds).toMatchObject({ retried, isDone: true, hasMore: false });
    }),
  );
});
