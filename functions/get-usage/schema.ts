import * as z from 'zod/mini';

const month = z.string().check(z.regex(/^\d{4}-\d{2}$/));

/** A day stands for its month. The answer says which months it counts. */
const monthAsked = z.pipe(
  z.string().check(
    z.regex(/^\d{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/, {
      error: 'must be a month, as YYYY-MM, or a day of it',
    }),
  ),
  z.transform((text) => text.slice(0, 'YYYY-MM'.length)),
);

/** Query of GET /api/v1/usage: months in UTC. Both are included. */
export const querySchema = z.object({
  from: z.optional(monthAsked),
  to: z.optional(monthAsked),
});
export type UsageQuery = z.output<typeof querySchema>;

const counts = {
  /** Emails that SES accepted, through send and send-global together. */
  sends: z.int(),
  /** Those through send-global. */
  global_endpoint_sends: z.int(),
  /** By the month in which they happened. */
  events: z.object({
    sent: z.int(),
    delivered: z.int(),
    bounced: z.int(),
    complained: z.int(),
    opened: z.int(),
    clicked: z.int(),
  }),
  attachments: z.int(),
  /** Decoded. */
  attachmentBytes: z.int(),
};

/** Response 200. */
export const responseSchema = z.object({
  from: month,
  to: month,
  /** Every month of the period, also without any use. */
  months: z.array(z.object({ month, ...counts })),
  total: z.object(counts),
});
export type UsageResponse = z.output<typeof responseSchema>;
