import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxPeriodMonths, monthOf, monthsOf, periodOf } from '#shared/usage/month';
import { serviceErrorOf } from '../../support/service-error.ts';

const now = Date.UTC(2026, 10, 21);

describe('monthOf', () => {
  it('uses UTC', () => {
    const newYear = Date.UTC(2027, 0, 1);

    expect([newYear - 1, newYear].map(monthOf)).toEqual(['2026-12', '2027-01']);
  });
});

describe('periodOf', () => {
  it.each([
    { asked: {}, period: { from: '2026-11', to: '2026-11' } },
    { asked: { from: '2026-02' }, period: { from: '2026-02', to: '2026-11' } },
    { asked: { to: '2025-03' }, period: { from: '2025-03', to: '2025-03' } },
    { asked: { from: '2025-12', to: '2026-01' }, period: { from: '2025-12', to: '2026-01' } },
    { asked: { from: '2030-01', to: '2030-01' }, period: { from: '2030-01', to: '2030-01' } },
    { asked: { from: '2024-12', to: '2026-11' }, period: { from: '2024-12', to: '2026-11' } },
  ])('for $asked is $period', ({ asked, period }) => {
    expect(periodOf(asked, now)).toEqual(period);
  });

  it.each([
    { asked: { from: '2026-02', to: '2026-01' }, fault: 'that ends before it begins' },
    { asked: { from: '2026-12' }, fault: 'that begins after now and ends now' },
    { asked: { from: '2024-11', to: '2026-11' }, fault: 'of 25 months' },
    { asked: { from: '0000-01' }, fault: 'of two thousand years' },
  ])('rejects one $fault', async ({ asked }) => {
    const error = await serviceErrorOf(() => periodOf(asked, now));

    expect(error).toMatchObject({
      code: 'validation_failed',
      errors: [{ path: 'from', message: expect.any(String) }],
    });
  });
});

describe('monthsOf', () => {
  it('names every month, across the years', () => {
    expect(monthsOf({ from: '2025-11', to: '2026-02' })).toEqual([
      '2025-11',
      '2025-12',
      '2026-01',
      '2026-02',
    ]);
  });

  it('goes from the first to the last month of any period, each once, in order', () => {
    const anyMonth = fc
      .tuple(fc.integer({ min: 0, max: 9_990 }), fc.integer({ min: 1, max: 12 }))
      .map(([year, month]) => `${`${year}`.padStart(4, '0')}-${`${month}`.padStart(2, '0')}`);
    const length = fc.integer({ min: 1, max: maxPeriodMonths });

    fc.assert(
      fc.property(anyMonth, length, (from, count) => {
        const all = monthsOf({ from, to: '9999-12' });
        const to = all[count - 1] ?? from;

        const months = monthsOf({ from, to });

        expect(months).toEqual(all.slice(0, count));
        expect(months.toSorted()).toEqual(months);
        expect(new Set(months).size).toBe(count);
        expect([months[0], months.at(-1)]).toEqual([from, to]);
      }),
      { numRuns: 20 },
    );
  });
});
