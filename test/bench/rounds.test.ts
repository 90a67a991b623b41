import { describe, expect, it } from 'vitest';
import { median, quantile, spread } from './rounds.ts';

describe('the median', () => {
  it('is the middle value', () => {
    expect(median([9, 1, 5])).toBe(5);
  });

  it('is between the two middle values of an even number', () => {
    expect(median([4, 1, 2, 9])).toBe(3);
  });

  it('is that of a single value', () => {
    expect(median([7])).toBe(7);
  });

  it('is refused for no values', () => {
    expect(() => median([])).toThrow('The median of nothing');
  });
});

describe('a quantile', () => {
  it('is the value that so many others do not exceed', () => {
    const values = Array.from({ length: 20 }, (_, index) => 20 - index);

    expect([0.5, 0.95, 1].map((part) => quantile(values, part))).toEqual([10, 19, 20]);
  });

  it('is refused for no values', () => {
    expect(() => quantile([], 0.5)).toThrow('The quantile of nothing');
  });
});

it('spreads from the first to the third quarter', () => {
  expect(spread([0.1, 0.8, 0.9, 0.85, 0.82, 0.84, 0.86, 7])).toBe('0.82–0.86');
});
