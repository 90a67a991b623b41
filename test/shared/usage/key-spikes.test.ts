import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayOf, daysBefore } from '#shared/timing/day';
import { newApiKeyId, newOrganizationId } from '#shared/tokens/resource-id';
import { usualDays } from '#shared/usage/day';
import type { KeyDay } from '#shared/usage/key-day-store';
import {
  keysToLookAt,
  leastSpikeRecipients,
  lookEvery,
  spikeNotice,
  usualOf,
} from '#shared/usage/key-spikes';

const organizationId = newOrganizationId();
const key = newApiKeyId(organizationId);
const day = '2026-03-01';
const now = Date.UTC(2026, 2, 1, 12);
const part = (sends: number, of = day, apiKeyId = key): KeyDay => ({
  day: of,
  recipients: new Map([[apiKeyId, sends]]),
});
/** The days before, latest first. */
const daysOf = (...counts: readonly number[]) =>
  counts.map((count, index) => part(count, daysBefore(day, index + 1)));

describe("a key's usual day", () => {
  it.each([
    [[], undefined],
    [[10, 10], undefined],
    [[10, 10, 0], undefined],
    [[10, 20, 30], 20],
    [[0, 0, 7, 7, 7], 7],
    [[100, 100, 100, 100, 90_000], 100],
    [[10, 20, 30, 40], 30],
  ])('for %j is %j', (counts, expected) => {
    expect(usualOf(counts)).toBe(expected);
  });

  it('lies between the lowest and the highest day, in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9_999 }), { minLength: 3 }), (counts) => {
        const usual = usualOf(counts) ?? Number.NaN;

        expect(usual).toBeGreaterThanOrEqual(Math.min(...counts));
        expect(usual).toBeLessThanOrEqual(Math.max(...counts));
        expect(usualOf(counts.toReversed())).toBe(usual);
      }),
    );
  });
});

describe('a key', () => {
  const noticeOf = (days: readonly KeyDay[]) => spikeNotice(key, day, days, now);

  it.each([
    ['ten usual days', [part(200), ...daysOf(20, 20, 20)], true],
    ['less than ten usual days', [part(199), ...daysOf(20, 20, 20)], false],
    ['ten usual days, as two shards tell', [part(150), part(50), ...daysOf(20, 20, 20)], true],
    ['ten tiny days', [part(leastSpikeRecipients - 1), ...daysOf(1, 1, 1)], false],
    ['enough for a spike, after tiny days', [part(leastSpikeRecipients), ...daysOf(1, 1, 1)], true],
    ['much on its third day', [part(90_000), ...daysOf(20, 20)], false],
    ['what it did at an earlier spike', [part(200), ...daysOf(90_000, 20, 20, 20)], true],
  ])('that sends %s is judged correctly: %#', (_what, days, isSpike) => {
    expect(noticeOf(days) !== undefined).toBe(isSpike);
  });

  it("isn't judged by what another key sends", () => {
    const other = newApiKeyId(organizationId);

    expect(
      noticeOf([part(200), ...daysOf(20, 20, 20), part(900, daysBefore(day, 1), other)]),
    ).toBeDefined();
    expect(spikeNotice(other, day, [part(200), ...daysOf(20, 20, 20)], now)).toBeUndefined();
  });

  it('is reported with its figures and what to do', () => {
    const notice = noticeOf([part(2_000), ...daysOf(20, 20, 20)]);

    expect(notice).toMatchObject({ organizationId, cause: 'key_spiking', about: key });
    expect(notice?.text).toContain('2000 recipients on 2026-03-01');
    expect(notice?.text).toContain('it sends to 20.');
    expect(notice?.text).toContain(`PATCH /api/v1/api-keys/${key} {"dailyCap": 200}`);
  });
});

describe('the keys to check', () => {
  const tally = (added: number) => ({
    organizationId,
    day,
    entries: Array.from({ length: added }, (_, index) => ({
      sequence: `${index}`,
      apiKeyId: key,
      recipients: 1,
    })),
  });

  it.each([
    [1, lookEvery - 1, 0],
    [1, lookEvery, 1],
    [1, lookEvery + 1, 0],
    [lookEvery, 2 * lookEvery - 1, 1],
    [10 * lookEvery, 10 * lookEvery, 1],
  ])('after %i more of then %i: %i', (added, counted, expected) => {
    expect(keysToLookAt(tally(added), part(counted))).toHaveLength(expected);
  });

  it('are checked after one email to many as after many to one', () => {
    const [first, ...others] = tally(1).entries.map((entry) => ({ ...entry, recipients: 49 }));
    const entries = first === undefined ? others : [first];

    expect(keysToLookAt({ ...tally(0), entries }, part(49))).toEqual([key]);
  });

  it('are checked once per number of recipients, however batches divide them', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 200 })), (batches) => {
        let counted = 0;
        let looks = 0;
        for (const added of batches) {
          counted += added;
          looks += keysToLookAt(tally(added), part(counted)).length;
        }

        expect(looks).toBeLessThanOrEqual(Math.floor(counted / lookEvery));
        expect(looks > 0).toBe(counted >= lookEvery);
      }),
    );
  });
});

describe('days before today', () => {
  it('are counted back across months and years', () => {
    expect(daysBefore('2026-03-01', 1)).toBe('2026-02-28');
    expect(daysBefore('2026-01-15', usualDays)).toBe('2025-12-16');
    expect(dayOf(Date.UTC(2026, 11, 31, 23, 59))).toBe('2026-12-31');
  });
});
