import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  clockText,
  count,
  dayName,
  dayText,
  duration,
  exactTime,
  isoMoment,
  localField,
  localMoment,
  periodName,
  queryMoment,
  rangeText,
  shorten,
  timeText,
  zoneText,
} from '../../../../../functions/show-console/app/shared/format.ts';
import { anyCharacter } from '../../../../support/any-character.ts';

const now = Date.UTC(2026, 10, 21, 12, 0);
const reader = { locale: 'en-GB', timeZone: 'UTC' };

afterEach(() => {
  vi.unstubAllEnvs();
});

it.each([
  ['day and time of this year', 'en-US', Date.UTC(2026, 10, 21, 9, 5, 2), 'Nov 21, 09:05:02'],
  ['midnight as 00', 'en-US', Date.UTC(2026, 10, 21), 'Nov 21, 00:00:00'],
  ['the year of another one', 'en-GB', Date.UTC(2025, 1, 3, 9, 5), '3 Feb 2025, 09:05:00'],
])('formats %s', (_, locale, at, expected) => {
  expect(timeText(at, now, { locale, timeZone: 'UTC' })).toBe(expected);
});

describe('a range of time', () => {
  const berlin = { locale: 'en-US', timeZone: 'Europe/Berlin' };
  const at = (text: string | undefined) => (text === undefined ? text : Date.parse(text));

  it.each([
    ['a day', '2026-11-24T00:00+01:00', '2026-11-25T00:00+01:00', 'Nov 24'],
    ['a day that clocks made longer', '2026-10-25T00:00+02:00', '2026-10-26T00:00+01:00', 'Oct 25'],
    ['days', '2026-11-20T00:00+01:00', '2026-11-25T00:00+01:00', 'Nov 20 – Nov 24'],
    ['a day of UTC', '2026-11-24T00:00Z', '2026-11-25T00:00Z', 'Nov 24 UTC'],
    ['days of UTC', '2026-11-20T00:00Z', '2026-11-25T00:00Z', 'Nov 20 – Nov 24 UTC'],
    ['times', '2025-12-31T09:30Z', '2026-11-24T17:00Z', 'Dec 31, 2025, 10:30 – Nov 24, 18:00'],
    ['what is since a day', '2026-11-20T00:00+01:00', undefined, 'Since Nov 20'],
    ['what is since a time', '2026-11-20T09:30Z', undefined, 'Since Nov 20, 10:30'],
    ['what was before a day of UTC', undefined, '2026-11-20T00:00Z', 'Before Nov 20 UTC'],
    ['no time', undefined, undefined, ''],
  ])('says %s', (_, from, until, text) => {
    expect(rangeText({ from: at(from), until: at(until) }, now, berlin)).toBe(text);
  });

  it('is in UTC’s days without saying so to a reader who lives by them', () => {
    const range = { from: at('2026-11-24T00:00Z'), until: at('2026-11-25T00:00Z') };

    expect(rangeText(range, now, { ...berlin, timeZone: 'UTC' })).toBe('Nov 24');
  });
});

it.each([
  ['2026-11-21T09:00:00.000Z', Date.UTC(2026, 10, 21, 9)],
  ['1795338000999', 1_795_338_000_999],
  ['yesterday', undefined],
  ['', undefined],
  [undefined, undefined],
])('reads the moment %s of an address', (text, moment) => {
  expect(queryMoment(text)).toBe(moment);
});

it('formats the time of day with milliseconds', () => {
  expect(clockText(Date.UTC(2026, 10, 21, 21, 44, 30, 912), reader)).toBe('21:44:30.912');
});

it.each([
  ['UTC', 'UTC'],
  ['Europe/Berlin', 'CET'],
])('names the zone of a reader in %s', (timeZone, expected) => {
  expect(zoneText(now, { locale: 'en-GB', timeZone })).toBe(expected);
});

it('formats a UTC day as that day, wherever the reader is', () => {
  expect(dayName('2026-11-01', { locale: 'en-GB', timeZone: 'Pacific/Honolulu' })).toBe('1 Nov');
});

it.each([
  ['2026-11', 'Nov 2026'],
  ['2026-11-01', '1 Nov 2026'],
])('formats the UTC period %s as %s, wherever the reader is', (period, text) => {
  expect(periodName(period, { locale: 'en-GB', timeZone: 'Pacific/Honolulu' })).toBe(text);
});

it('decides which day it is in the reader’s zone, not in UTC', () => {
  const lateEvening = Date.UTC(2026, 10, 20, 23, 30);

  expect(dayText(lateEvening, { locale: 'en-GB', timeZone: 'Europe/Berlin' })).toBe('21 Nov');
});

it('formats the exact time in the reader’s zone and in UTC', () => {
  const written = exactTime(now, { locale: 'en-GB', timeZone: 'Asia/Kolkata' });

  expect(written).toContain('17:30:00');
  expect(written).toContain('2026-11-21T12:00:00.000Z');
});

it.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_900, '1 s'],
  [125_000, '2 min 5 s'],
  [3_600_000, '1 h'],
  [86_400_000, '1 day'],
  [2 * 86_400_000 + 3_600_000, '2 days 1 h'],
])('writes %i ms as %s', (ms, expected) => {
  expect(duration(ms)).toBe(expected);
});

it('shortens a text without cutting a character in two', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), fc.nat(20), (text, most) => {
      const short = shorten(text, most);

      expect(short.length).toBeLessThanOrEqual(most + 1);
      expect(short.isWellFormed()).toBe(true);
      expect(text.length > most || short === text).toBe(true);
    }),
  );
});

it('uses singular and plural', () => {
  expect(count(1, 'address', 'addresses')).toBe('1 address');
  expect(count(2, 'attempt')).toBe('2 attempts');
});

it('reads back what it writes into a datetime-local field', () => {
  const written = localField(now);

  expect(localMoment(written)).toBe(now);
});

it.each([
  ['Asia/Kolkata', '2026-11-21T17:30'],
  ['America/New_York', '2026-11-21T07:00'],
])(
  'reads and writes a datetime-local field by the clock of a reader in %s',
  (timeZone, written) => {
    vi.stubEnv('TZ', timeZone);

    expect(localField(now)).toBe(written);
    expect(localMoment(written)).toBe(now);
    expect(isoMoment(written)).toBe('2026-11-21T12:00:00.000Z');
  },
);

it('writes a year that a datetime-local field has no room for as the last one', () => {
  const last = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
  vi.stubEnv('TZ', 'Asia/Kolkata');

  expect(localField(last)).toBe('9999-12-31T23:59');
});

it.each([undefined, '', 'yesterday'])('reads %s as no moment', (text) => {
  expect(localMoment(text)).toBeUndefined();
  expect(isoMoment(text)).toBeUndefined();
});
