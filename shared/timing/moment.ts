import * as z from 'zod/mini';
import { latestMoment } from './day.ts';

const epochTime = z.int().check(z.gte(0), z.lte(latestMoment));

/** Epoch milliseconds, or ISO 8601 with a time zone. */
export const momentSchema = z.union(
  [
    epochTime,
    z.pipe(
      z.pipe(
        z.iso.datetime({ offset: true }),
        z.transform((text) => Date.parse(text)),
      ),
      epochTime,
    ),
  ],
  'must be epoch milliseconds, or a date and time such as 2026-01-31T12:00:00Z, from 1970 to 9999',
);

/** ISO 8601 with a date alone, or with a time and its zone (RFC 3339). */
const isoMoment = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/i;
/** `Date.parse` reads February 30 as March 2. */
const isDay = (text: string): boolean => new Date(text).toJSON()?.startsWith(text) ?? false;
/** As many digits as a list's sort key has room for. */
const epochMilliseconds = /^\d{1,15}$/;

/** Epoch milliseconds, or ISO 8601; a date alone means midnight UTC. */
export const momentInQuery = z.pipe(
  z.string(),
  z.transform((text, context): number => {
    if (epochMilliseconds.test(text)) return Number(text);
    const moment = isoMoment.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
    if (moment >= 0) return moment;
    const message = 'must be a time: epoch milliseconds, or ISO 8601 such as 2026-11-21T09:00:00Z';
    context.issues.push({ code: 'custom', message, input: text });
    return z.NEVER;
  }),
);

/** The same, or epoch milliseconds as a number. */
export const momentInBody = z.union([z.int().check(z.gte(0), z.lt(1e15)), momentInQuery], {
  error: 'must be a time: epoch milliseconds, or ISO 8601 such as 2026-11-21T09:00:00Z',
});
