import { describe, expect, it } from 'vitest';
import { dayPeriodOf, daysOf } from '#shared/usage/day';
import { serviceErrorOf } from '../../support/service-error.ts';

const now = Date.UTC(2026, 2, 1, 23, 59);

describe('dayPeriodOf', () => {
  it.each([
    [{}, '2026-01-31', '2026-03-01'],
    [{ from: '2026-02-28' }, '2026-02-28', '2026-03-01'],
    [{ to: '2026-02-28' }, '2026-02-28', '2026-02-28'],
    [{ from: '2024-02-29', to: '2024-02-29' }, '2024-02-29', '2024-02-29'],
    [{ from: '2025-12-30', to: '2026-03-31' }, '2025-12-30', '2026-03-31'],
  ])('takes %o for %s to %s', (asked, from, to) => {
    expect(dayPeriodOf(asked, now)).toEqual({ from, to });
  });

  it.each([
    [{ from: '2026-03' }, 'from must be a day of the calendar, as YYYY-MM-DD'],
    [{ to: '2026-02-29' }, 'to must be a day of the calendar, as YYYY-MM-DD'],
    [{ from: '2026-06-31' }, 'from must be a day of the calendar, as YYYY-MM-DD'],
    [{ from: '2026-03-02' }, 'from must not be after today'],
    [{ from: '2026-02-02', to: '2026-02-01' }, 'from must not be after to'],
    [{ from: '2025-12-29', to: '2026-03-31' }, 'from must not begin a period of more than 92 days'],
  ])('rejects %o: %s', async (asked, fault) => {
    const { errors = [] } = await serviceErrorOf(() => dayPeriodOf(asked, now));

    expect(errors.map(({ path, message }) => `${path} ${message}`)).toEqual([fault]);
  });
});

describe('daysOf', () => {
  it('lists every day once, across months and years', () => {
    const days = daysOf({ from: '2025-12-30', to: '2026-03-31' });

    expect(days.slice(0, 4)).toEqual(['2025-12-30', '2025-12-31', '2026-01-01', '2026-01-02']);
    expect([days.length, new Set(days).size, days.at(-1)]).toEqual([92, 92, '2026-03-31']);
  });
});
