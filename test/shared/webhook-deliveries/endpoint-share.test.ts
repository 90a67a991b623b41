import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxShare, shareAfter } from '#shared/webhook-deliveries/endpoint-share';

describe("an endpoint's share of a run", () => {
  it('grows by one with each quick delivery', () => {
    expect(shareAfter(2, 'delivered', 80, 80)).toBe(3);
  });

  it('shrinks by one with each failure, however quick', () => {
    expect(shareAfter(9, 'rescheduled', 5, 5)).toBe(8);
  });

  it('shrinks by one when the host gets too many', () => {
    expect(shareAfter(9, 'postponed', 5, 5)).toBe(8);
  });

  it.each([
    { durationMs: 1_000, quickestMs: 10, share: 6 },
    { durationMs: 1_001, quickestMs: 10, share: 5 },
    { durationMs: 7_000, quickestMs: 3_500, share: 6 },
    { durationMs: 7_001, quickestMs: 3_500, share: 5 },
  ])(
    'is $share after 5, when one takes $durationMs ms and the quickest took $quickestMs ms',
    (row) => {
      expect(shareAfter(5, 'delivered', row.durationMs, row.quickestMs)).toBe(row.share);
    },
  );

  it.each(['failed', 'not_claimed'] as const)(
    "doesn't change when a delivery is %s, which says nothing about the receiver",
    (result) => {
      expect(shareAfter(5, result, 10, 10)).toBe(5);
    },
  );

  it('is always at least one and at most half of a run', () => {
    const results = fc.constantFrom('delivered', 'rescheduled', 'failed', 'not_claimed');
    const attempts = fc.array(fc.tuple(results, fc.nat(20_000)), { maxLength: 400 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: maxShare }), attempts, (first, all) => {
        const last = all.reduce((share, [result, ms]) => shareAfter(share, result, ms, ms), first);

        expect(last).toBeGreaterThanOrEqual(1);
        expect(last).toBeLessThanOrEqual(maxShare);
      }),
    );
  });
});
