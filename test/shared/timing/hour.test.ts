import { describe, expect, it } from 'vitest';
import { hourEndOf, hourOf } from '#shared/timing/hour';

const hour = 486_111;
const begin = hour * 3_600_000;

describe('an hour', () => {
  it.each([begin, begin + 3_599_999])('lasts from its begin to its end (%i)', (now) => {
    expect(hourOf(now)).toBe(hour);
    expect(hourEndOf(now)).toBe(begin + 3_600_000);
  });
});
