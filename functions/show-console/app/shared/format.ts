/** The reader's own by default. */
type Reader = { readonly locale?: string; readonly timeZone?: string };

const formatted = (
  at: number,
  options: Intl.DateTimeFormatOptions,
  { locale, timeZone }: Reader,
): string =>
  new Intl.DateTimeFormat(locale, { ...options, ...(timeZone && { timeZone }) }).format(at);

/**
 * To the second: `Nov 22, 21:44:52`, with the year unless it's this one.
 *
 * @param at epoch milliseconds
 */
export function timeText(at: number, now: number, reader: Reader = {}): string {
  return dated(at, now, clock, reader);
}

/** To the minute: `Nov 22, 21:44`, with the year unless it's this one. */
export const minuteText = (at: number, now: number, reader: Reader = {}): string =>
  dated(at, now, minutes, reader);

function dated(at: number, now: number, time: Intl.DateTimeFormatOptions, reader: Reader): string {
  const year = (moment: number) => formatted(moment, { year: 'numeric' }, reader);
  const day = { month: 'short', day: 'numeric' } as const;
  const isThisYear = year(at) === year(now);
  return formatted(at, { ...(isThisYear ? day : { ...day, year: 'numeric' }), ...time }, reader);
}

const minutes = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const clock = { ...minutes, second: '2-digit' } as const;

/** `21:44:30` */
export const secondText = (at: number, reader: Reader = {}): string => formatted(at, clock, reader);

/** `21:44:30.912` */
export const clockText = (at: number, reader: Reader = {}): string =>
  formatted(at, { ...clock, fractionalSecondDigits: 3 }, reader);

type Range = { readonly from?: number | undefined; readonly until?: number | undefined };

/**
 * A range without its end: `Nov 22`, `Nov 20 – Nov 22`, `Since Nov 20, 09:30`. Days are the reader's, or UTC's if only
 * those are whole; the text then says so.
 */
export function rangeText({ from, until }: Range, now: number, reader: Reader = {}): string {
  const zones = [reader, { ...reader, timeZone: 'UTC' }];
  const ofDays = zones.find((zone) =>
    [from, until].every((at) => at === undefined || isMidnight(at, zone)),
  );
  const text = (at: number) => dated(at, now, ofDays ? {} : minutes, ofDays ?? reader);
  const zone = ofDays === undefined || ofDays === reader ? '' : ' UTC';
  if (from === undefined) return until === undefined ? '' : `Before ${text(until)}${zone}`;
  if (until === undefined) return `Since ${text(from)}${zone}`;
  const first = text(from);
  const last = text(ofDays ? until - 1 : until);
  return `${first === last ? first : `${first} – ${last}`}${zone}`;
}

const isMidnight = (at: number, { timeZone }: Reader): boolean =>
  clockText(at, { locale: 'en', ...(timeZone && { timeZone }) }) === '00:00:00.000';

/** `Nov 22` */
export const dayText = (at: number, reader: Reader = {}): string =>
  formatted(at, { month: 'short', day: 'numeric' }, reader);

/** The reader's zone at a moment, such as `UTC` or `GMT+1`: it changes with daylight saving. */
export function zoneText(at: number, { locale, timeZone }: Reader = {}): string {
  const options = { timeZoneName: 'short', ...(timeZone && { timeZone }) } as const;
  const parts = new Intl.DateTimeFormat(locale, options).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/** Such as `2026-11-22`. */
export const utcDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** A UTC day, such as `2026-11-22`, in the reader's language. */
export const dayName = (day: string, { locale }: Reader = {}): string =>
  formatted(
    Date.parse(day),
    { month: 'short', day: 'numeric' },
    { ...(locale && { locale }), timeZone: 'UTC' },
  );

/** A UTC month such as `2026-11` or day such as `2026-11-22`, in the reader's language, with the year. */
export const periodName = (period: string, { locale }: Reader = {}): string =>
  formatted(
    Date.parse(period),
    { year: 'numeric', month: 'short', ...(period.length > 7 && { day: 'numeric' }) },
    { ...(locale && { locale }), timeZone: 'UTC' },
  );

export const capitalized = (text: string): string =>
  `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** In the reader's zone, and in UTC as in the logs. */
export function exactTime(at: number, reader: Reader = {}): string {
  const local = formatted(at, { dateStyle: 'full', timeStyle: 'long' }, reader);
  return `${local} · ${new Date(at).toISOString()}`;
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/**
 * In the two largest units: `2 min 5 s`, `3 days`.
 *
 * @param ms milliseconds, 0 or more
 */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const first = units.findIndex(([, length]) => ms >= length);
  const parts: string[] = [];
  let rest = ms;
  for (const [unit, length] of units.slice(first, first + 2)) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(unitText(unit, count));
  }
  return parts.join(' ');
}

/** Up to a minute, with tenths of a second: `1.4 s`. */
export const shortTime = (ms: number): string =>
  ms < 1_000 || ms >= 60_000
    ? duration(ms)
    : `${(ms / 1_000).toLocaleString(undefined, { maximumFractionDigits: 1 })} s`;

function unitText(unit: (typeof units)[number][0], count: number): string {
  if (unit === 'day') return count === 1 ? '1 day' : `${count} days`;
  return `${count} ${{ hour: 'h', minute: 'min', second: 's' }[unit]}`;
}

/** Cuts long text, but no character in two. */
export function shorten(text: string, most: number): string {
  const cut = text.slice(0, most);
  if (cut.length === text.length) return text;
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString()} ${number === 1 ? one : many}`;

/**
 * Reads a `datetime-local` field, in the reader's zone.
 *
 * @returns epoch milliseconds; `undefined` if it's empty or not a time.
 */
export function localMoment(text: string | undefined): number | undefined {
  const at = text ? new Date(text).getTime() : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** Reads a moment from the page's address: links may have milliseconds, and people may type anything. */
export const queryMoment = (text = ''): number | undefined =>
  localMoment(/^\d+$/.test(text) ? new Date(Number(text)).toJSON() : text);

/** The last that a `datetime-local` field may have: `Date` can't read what it writes for a longer year. */
export const lastFieldMinute = '9999-12-31T23:59';

/** For a `datetime-local` field, in the reader's zone. */
export function localField(at: number | undefined): string | undefined {
  if (at === undefined) return undefined;
  const offset = new Date(at).getTimezoneOffset() * 60_000;
  const shown = Math.min(at - offset, Date.parse(`${lastFieldMinute}Z`));
  return new Date(shown).toISOString().slice(0, 16);
}

/** For an address, so that it means the same moment wherever it's opened. */
export function isoMoment(text: string | undefined): string | undefined {
  const at = localMoment(text);
  return at === undefined ? undefined : new Date(at).toISOString();
}
