import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expiryAfter, isExpired, toSeconds } from '#shared/table/expiry';

const now = 1_750_000_000_000;

describe('the expiry of an item', () => {
  it('is so many days later, in epoch seconds, as DynamoDB deletes by', () => {
    expect(expiryAfter(now, 1)).toBe(1_750_086_400);
    expect(expiryAfter(now, 90)).toBe(1_757_776_000);
  });

  it('is a whole number of seconds, whatever the moment', () => {
    expect(expiryAfter(now + 999, 1)).toBe(1_750_086_400);
    expect(toSeconds(now + 999)).toBe(1_750_000_000);
  });
});

describe('an item', () => {
  it.each([
    { later: -1, expired: false },
    { later: 0, expired: true },
    { later: 1, expired: true },
    { later: 172_800_000, expired: true },
  ])('is expired $later ms after its second: $expired', ({ later, expired }) => {
    expect(isExpired({ expiresAt: now / 1000 }, now + later)).toBe(expired);
  });

  it('that was made to last so many days is there for all of them but their last second', () => {
    const anyMoment = fc.integer({ min: 0, max: 4_102_444_800_000 });
    const anyDays = fc.integer({ min: 1, max: 3_650 });

    fc.assert(
      fc.property(anyMoment, anyDays, (moment, days) => {
        const item = { expiresAt: expiryAfter(moment, days) };
        const end = moment + days * 86_400_000;

        expect(isExpired(item, end - 1_000)).toBe(false);
        expect(isExpired(item, end)).toBe(true);
      }),
    );
  });

  it.each([{}, { expiresAt: undefined }, { expiresAt: '1' }])('never expires as %o', (item) => {
    expect(isExpired(item, now)).toBe(false);
  });
});
