import { describe, expect, it } from 'vitest';
import { endsIn } from '../../../../../functions/show-console/app/settings/ends-in.ts';

const hourMs = 3_600_000;
const now = Date.parse('2026-11-29T12:00:00Z');

describe('endsIn', () => {
  it.each([
    [7 * 24 * hourMs - 1, 'ends in 6 d'],
    [24 * hourMs, 'ends in 1 d'],
    [24 * hourMs - 1, 'ends in 23 h'],
    [hourMs, 'ends in 1 h'],
    [hourMs - 1, 'ends within the hour'],
    [0, 'ended'],
    [-1, 'ended'],
  ])('says of %d ms that an invitation %s', (left, words) => {
    expect(endsIn(now + left, now)).toBe(words);
  });
});
