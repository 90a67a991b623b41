import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  barOf,
  scaleOf,
  shownIn,
} from '../../../../../functions/show-console/app/overview/bars.ts';

const counts = fc.record({
  sent: fc.nat(),
  delivered: fc.nat(),
  bounced_permanent: fc.nat(),
  bounced_transient: fc.nat(),
  bounced_undetermined: fc.nat(),
  complained: fc.nat(),
});

it('a bar has each email once: its parts add up to what was sent, and none is below zero', () => {
  const bar = barOf({
    sent: 100,
    delivered: 90,
    bounced_permanent: 4,
    bounced_transient: 1,
    bounced_undetermined: 1,
    complained: 1,
  });

  expect(Object.fromEntries(bar)).toEqual({ delivered: 90, pending: 4, soft: 2, hard: 4 });
  fc.assert(
    fc.property(counts, (figures) => {
      const numbers = barOf(figures).map(([, number]) => number);
      expect(numbers.every((number) => number >= 0)).toBe(true);
      expect(numbers.reduce((sum, number) => sum + number)).toBe(figures.sent);
    }),
  );
});

it('an email that was delivered before an autoresponder bounced it is a delivery', () => {
  const figures = {
    sent: 45,
    delivered: 36,
    bounced_permanent: 7,
    bounced_transient: 3,
    bounced_undetermined: 0,
    complained: 3,
  };

  expect(Object.fromEntries(barOf(figures))).toEqual({
    delivered: 36,
    pending: 0,
    soft: 2,
    hard: 7,
  });
  expect(shownIn(figures, 'soft')).toBe(3);
});

it('an axis has at most five lines, at whole numbers, and all bars below its top', () => {
  expect(scaleOf(0)).toEqual({ top: 1, lines: [0, 1] });
  expect(scaleOf(23)).toEqual({ top: 30, lines: [0, 10, 20, 30] });
  fc.assert(
    fc.property(fc.nat(), (most) => {
      const { top, lines } = scaleOf(most);
      expect(top).toBeGreaterThanOrEqual(most);
      expect(lines.length).toBeLessThanOrEqual(5);
      expect(lines.every(Number.isInteger)).toBe(true);
    }),
  );
});
