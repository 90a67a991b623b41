import fc from 'fast-check';
import { expect, it } from 'vitest';
import { barOf, scaleOf, shownIn } from '../../../../../functions/show-console/app/usage/bars.ts';

const counts = fc.record({
  sent: fc.nat(),
  delivered: fc.nat(),
  bounced: fc.nat(),
  soft_bounced: fc.nat(),
  complained: fc.nat(),
  opened: fc.nat(),
  clicked: fc.nat(),
});

it('a bar has each email once: its parts add up to what was sent, and none is below zero', () => {
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
    delivered: 90,
    pending: 4,
    soft: 2,
    hard: 4,
  });
  fc.assert(
    fc.property(fc.nat(), counts, (sends, events) => {
      const numbers = barOf({ sends, events }).map(([, number]) => number);
      expect(numbers.every((number) => number >= 0)).toBe(true);
      expect(numbers.reduce((sum, number) => sum + number)).toBe(sends);
    }),
  );
});

it('an email that was delivered before an autoresponder bounced it is a delivery', () => {
  const events = {
    sent: 45,
    delivered: 36,
    bounced: 10,
    soft_bounced: 3,
    complained: 3,
    opened: 0,
    clicked: 0,
  };

  expect(Object.fromEntries(barOf({ sends: 45, events }))).toEqual({
    delivered: 36,
    pending: 0,
    soft: 2,
    hard: 7,
  });
  expect(shownIn({ sends: 45, events }, 'soft')).toBe(3);
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
