import { invalidField, type ServiceError, validationFailed } from '#shared/errors/service-error';
import { sendMoment } from '#shared/sending/request/send-request';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const units: readonly (readonly [words: RegExp, ms: number])[] = [
  [/^s(ec(ond)?s?)?$/, 1_000],
  [/^m(in(ute)?s?)?$/, minuteMs],
  [/^h((ou)?rs?)?$/, hourMs],
  [/^d(ays?)?$/, dayMs],
  [/^w(ee)?ks?$/, 7 * dayMs],
];

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** Zones as people in North America and Europe write them. They follow summer time, as those people do. */
const zones: Readonly<Record<string, string>> = {
  utc: 'UTC',
  gmt: 'UTC',
  et: 'America/New_York',
  est: 'America/New_York',
  edt: 'America/New_York',
  ct: 'America/Chicago',
  cst: 'America/Chicago',
  cdt: 'America/Chicago',
  mt: 'America/Denver',
  mst: 'America/Denver',
  mdt: 'America/Denver',
  pt: 'America/Los_Angeles',
  pst: 'America/Los_Angeles',
  pdt: 'America/Los_Angeles',
  cet: 'Europe/Berlin',
  cest: 'Europe/Berlin',
};

const fromNow = /^in (an?|\d{1,5}) ?([a-z]+)$/;
const atTime =
  /^(?:(today|tomorrow|(?:next |on )?[a-z]+day) ?)?(?:at )?(\d{1,2})(?::(\d{2}))? ?(am|pm)?(?: ([a-z]{2,4}))?$/;

/**
 * The forms that Resend documents: `in 1 min`, `tomorrow at 9am`, `Friday at 3pm ET`. Default zone: UTC.
 *
 * @returns epoch milliseconds, or `undefined` for any other words.
 */
export function momentInWords(text: string, now: number): number | undefined {
  const words = text.trim().toLowerCase().replaceAll(/\s+/g, ' ');
  const [, amount, unit] = fromNow.exec(words) ?? [];
  if (amount !== undefined && unit !== undefined) {
    const [, ms] = units.find(([names]) => names.test(unit)) ?? [];
    return ms === undefined ? undefined : now + (amount.startsWith('a') ? 1 : Number(amount)) * ms;
  }
  return momentOnDay(words, now);
}

function momentOnDay(words: string, now: number): number | undefined {
  const [, day, hours, minutes = '0', half, zoneName = 'utc'] = atTime.exec(words) ?? [];
  const zone = zones[zoneName];
  const hour = hours === undefined ? undefined : hourOf(Number(hours), half);
  const isTime = hour !== undefined && Number(minutes) < 60;
  // A bare number isn't a time.
  if (zone === undefined || !isTime || (half === undefined && !words.includes(':')))
    return undefined;
  const today = localDay(now, zone);
  const ahead = daysAhead(day, today);
  if (ahead === undefined) return undefined;
  const timeMs = hour * hourMs + Number(minutes) * minuteMs;
  const moment = instantOf(today + ahead * dayMs + timeMs, zone);
  const isNamedDay = day !== undefined && day !== 'today' && day !== 'tomorrow';
  return isNamedDay && moment <= now ? instantOf(today + 7 * dayMs + timeMs, zone) : moment;
}

function hourOf(hours: number, half: string | undefined): number | undefined {
  if (half === undefined) return hours < 24 ? hours : undefined;
  if (hours < 1 || hours > 12) return undefined;
  return (hours % 12) + (half === 'pm' ? 12 : 0);
}

function daysAhead(day: string | undefined, today: number): number | undefined {
  if (day === undefined || day === 'today') return 0;
  if (day === 'tomorrow') return 1;
  const weekday = weekdays.indexOf(day.replace(/^(next|on) /, ''));
  if (weekday < 0) return undefined;
  const ahead = (weekday - new Date(today).getUTCDay() + 7) % 7;
  return ahead === 0 && day.startsWith('next ') ? 7 : ahead;
}

/** The zone's midnight, as if it were UTC. */
function localDay(now: number, zone: string): number {
  const local = now + offsetAt(now, zone);
  return local - (local % dayMs);
}

/**
 * Takes two steps, because the offset may change in between.
 *
 * @param local the time that clocks show there, as if it were UTC.
 */
function instantOf(local: number, zone: string): number {
  const near = local - offsetAt(local, zone);
  return local - offsetAt(near, zone);
}

/** How far the zone is ahead of UTC. */
function offsetAt(instant: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant);
  const partOf = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const local = Date.UTC(
    partOf('year'),
    partOf('month') - 1,
    partOf('day'),
    ...[partOf('hour'), partOf('minute'), partOf('second')],
  );
  return local - (instant - (instant % 1_000));
}

const rule =
  'must be ISO 8601 with a time zone; or `in` and a number of seconds, minutes, hours, days or weeks, such as `in 1 min`; or a time today, tomorrow or on a weekday, such as `tomorrow at 9am` or `Friday at 3pm ET`';

/**
 * Reads either form.
 *
 * @throws ServiceError `validation_failed`
 */
export function readScheduledAt(text: string, now: number): number {
  const moment = momentInWords(text, now) ?? sendMoment.safeParse(text).data;
  if (moment !== undefined) return moment;
  throw invalidField('scheduled_at', rule);
}

/** For a request whose `sendAt` was checked as ours, which allows no words. */
export const withWordsNamed = ({ errors = [] }: ServiceError): ServiceError =>
  validationFailed(
    errors.map((fault) => (fault.path === 'sendAt' ? { ...fault, message: rule } : fault)),
  );
