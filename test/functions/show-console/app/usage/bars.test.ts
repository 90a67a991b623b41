import fc from 'fast-check';
import { expect, it } from 'vitest';
import { barOf, scaleOf } from '../../../../../functions/show-console/app/usage/bars.ts';

const counts = fc.record({
  sent: fc.nat(),
  delivered: fc.nat(),
  bounced: fc.nat(),
  soft_bounced: fc.nat(),
  complained: fc.nat(),
  opened: fc.nat(),
  clicked: fc.nat(),
});

it('a bar has each email once, and nothing below zero', () => {
  const bar = barOf({
    sends: 100,
    events: {
      sent: 0,
      delivered: 90,
      bounced: 6,
      soft_bounced: 2,
      complained: 1,
      opened: 0,
      clicked: 0,
    },
  });

  expect(Object.fromEntries(bar)).toEqual({
    delivered: 89,
    unheard: 4,
    soft: 2,
    hard: 4,
    complained: 1,
  });
  fc.assert(
    fc.property(fc.nat(), counts, (sends, events) => {
      expect(barOf({ sends, events }).every(([, number]) => number >= 0)).toBe(true);
    }),
  );
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
