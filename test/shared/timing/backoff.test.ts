import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffCeiling } from '#shared/timing/backoff';

describe('backoffCeiling', () => {
  it('doubles with each attempt, up to the cap', () => {
    const ceilings = [1, 2, 3, 4, 5, 50].map((attempt) => backoffCeiling(attempt, 100, 1_000));

    expect(ceilings).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });

  it('never exceeds the cap and never shrinks', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), (attempt) => {
        const [one, next] = [attempt, attempt + 1].map((n) => backoffCeiling(n, 20, 500));

        expect(one).toBeLessThanOrEqual(500);
        expect(next).toBeGreaterThanOrEqual(one ?? Number.POSITIVE_INFINITY);
      }),
    );
  });
});
