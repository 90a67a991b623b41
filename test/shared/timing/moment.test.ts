import { describe, expect, it } from 'vitest';
import { momentInQuery } from '#shared/timing/moment';

describe('a moment in a query', () => {
  it.each([
    ['0', 0],
    ['1700000000000', 1_700_000_000_000],
    ['2026-11-21', Date.UTC(2026, 10, 21)],
    ['2026-11-21T09:00Z', Date.UTC(2026, 10, 21, 9)],
    ['2026-11-21T09:00:30.5Z', Date.UTC(2026, 10, 21, 9, 0, 30, 500)],
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
