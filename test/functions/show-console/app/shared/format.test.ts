import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
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

it.each([undefined, '', 'yesterday'])('reads %s as no moment', (text) => {
  expect(localMoment(text)).toBeUndefined();
  expect(isoMoment(text)).toBeUndefined();
});
