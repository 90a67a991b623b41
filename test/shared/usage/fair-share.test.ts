import { describe, expect, it } from 'vitest';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { isTimeToLook, overFairShare } from '#shared/usage/fair-share';

describe('more than a fair share', () => {
  it.each([
    ['nobody sends much', [60, 1], []],
    ['there is nobody else', [5_000], []],
    ['two send alike', [100, 100], []],
    ['one sends what ten others do', [500, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50], [0]],
    ['one of two sends nearly all', [900, 100], [0]],
    ['two of many send most', [500, 500, 10, 10, 10, 10], [0, 1]],
  ])('is detected where %s', (_what, counts, expected) => {
    const ids = counts.map(() => newOrganizationId());
    const recipients = new Map(ids.map((id, index) => [id, counts[index] ?? 0]));

    const over = overFairShare(recipients);

    expect([...over]).toEqual(expected.map((index) => ids[index]));
  });
});

describe("the use of a day's limit", () => {
  it.each([
    [1, 99, 10_000, false],
    [1, 100, 10_000, true],
    [50, 140, 10_000, true],
    [20, 190, 10_000, false],
    [1, 1, 10, true],
  ])(
    'after %i more of then %i, with a limit of %i, is checked: %s',
    (added, counted, limit, expected) => {
      expect(isTimeToLook(added, counted, limit)).toBe(expected);
    },
  );
});
