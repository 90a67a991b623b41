import * as z from 'zod/mini';

/** A moment in a request: epoch milliseconds, or ISO 8601 with a time zone. Epoch milliseconds inside. */
export const momentSchema = z.union(
  [
    z.int().check(z.gte(0)),
    z.pipe(
      z.iso.datetime({ offset: true }),
      z.transform((text) => Date.parse(text)),
    ),
  ],
  'must be epoch milliseconds, or a date and time such as 2026-01-31T12:00:00Z',
);
