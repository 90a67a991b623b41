import { describe, expect, it } from 'vitest';
import { momentInBody, momentInQuery, momentSchema } from '#shared/timing/moment';

describe('a moment in a query', () => {
  it.each([
    ['0', 0],
    ['1700000000000', 1_700_000_000_000],
    ['2026-11-21', Date.UTC(2026, 10, 21)],
    ['2028-02-29', Date.UTC(2028, 1, 29)],
    ['2026-11-21T24:00:00Z', Date.UTC(2026, 10, 22)],
    ['2026-11-21T09:00Z', Date.UTC(2026, 10, 21, 9)],
    ['2026-11-21T09:00:30.5Z', Date.UTC(2026, 10, 21, 9, 0, 30, 500)],
    ['2026-11-21T09:00:30.123Z', Date.UTC(2026, 10, 21, 9, 0, 30, 123)],
    ['2026-11-21T09:00:30.123456789Z', Date.UTC(2026, 10, 21, 9, 0, 30, 123)],
    ['2026-11-21T09:00:00+02:00', Date.UTC(2026, 10, 21, 7)],
  ])('reads %s', (text, moment) => {
    expect(momentInQuery.parse(text)).toBe(moment);
  });

  it.each([
    '',
    'yesterday',
    '-1',
    '1e3',
    '1234567890123456',
    '2026-13-01',
    '2026-02-30',
    '2026-11-31T09:00:00Z',
    '1969-12-31',
    '21.11.2026',
    '2026-11-21T09:00:00',
    '2026-11-21 09:00:00Z',
  ])('refuses "%s" and says how one is written', (text) => {
    expect(momentInQuery.safeParse(text).error?.issues).toMatchObject([
      { message: expect.stringContaining('ISO 8601') },
    ]);
  });
});

describe('a moment in a body', () => {
  it.each([
    [0, 0],
    [1_700_000_000_000, 1_700_000_000_000],
    ['1700000000000', 1_700_000_000_000],
    ['2026-11-21T09:00:00.123Z', Date.UTC(2026, 10, 21, 9, 0, 0, 123)],
  ])('reads %j', (value, moment) => {
    expect(momentInBody.parse(value)).toBe(moment);
  });

  it.each([-1, 1.5, 1e15, null, 'yesterday'])('refuses %j', (value) => {
    expect(momentInBody.safeParse(value).success).toBe(false);
  });
});

describe('a moment with a zone of its own', () => {
  it.each([
    [0, 0],
    [1_700_000_000_000, 1_700_000_000_000],
    ['2026-11-21T09:00:00.123+02:00', Date.UTC(2026, 10, 21, 7, 0, 0, 123)],
    ['9999-12-31T23:59:59.999Z', 253_402_300_799_999],
    [253_402_300_799_999, 253_402_300_799_999],
  ])('reads %j', (value, moment) => {
    expect(momentSchema.parse(value)).toBe(moment);
  });

  it.each([
    -1,
    1.5,
    '1700000000000',
    '2026-11-21',
    '2026-11-21T09:00:00',
    '1969-12-31T23:59:59Z',
    '9999-12-31T23:59:59-01:00',
    253_402_300_800_000,
    Number.MAX_SAFE_INTEGER,
  ])('refuses %j', (value) => {
    expect(momentSchema.safeParse(value).success).toBe(false);
  });
});
