import fc from 'fast-check';
import { expect, it } from 'vitest';
import { outcomes } from '#shared/send-history/outcome';
import {
  daysOf,
  daysShown,
  daysText,
  startOf,
} from '../../../../../functions/show-console/app/contacts/days.ts';

const now = 1_800_000_000_000;
const dayMs = 86_400_000;

it('shows each email on one day, the latest last', () => {
  const days = daysOf(
    [
      { createdAt: now, outcome: 'delivered' },
      { createdAt: now - dayMs, outcome: 'soft_bounced' },
      { createdAt: now - dayMs - 1, outcome: 'bounced' },
    ],
    now,
  );

  expect(days.slice(-2)).toEqual([
    { emails: 2, tone: 'bad' },
    { emails: 1, tone: undefined },
  ]);
  expect(daysText(days)).toBe('Emails on 2 of 90 days, with problems on 1');
});

it('loses no email of the days shown, however the clocks differ', () => {
  const sends = fc.array(
    fc.record({
      createdAt: fc.integer({ min: startOf(now) + 1, max: now + dayMs }),
      outcome: fc.constantFrom(...outcomes),
    }),
  );
  fc.assert(
    fc.property(sends, (given) => {
      const days = daysOf(given, now);

      expect(days).toHaveLength(daysShown);
      expect(days.reduce((sum, { emails }) => sum + emails, 0)).toBe(given.length);
    }),
  );
});
