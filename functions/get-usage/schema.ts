import * as z from 'zod/mini';

// How long a period may be, and the default: `shared/usage/month.ts` and `day.ts`.

const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/));
const month = z.string().check(z.regex(/^\d{4}-\d{2}$/));

/** By month, a day stands for its month. By day, only a day will do. */
const asked = z.string().check(
  z.regex(/^\d{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/, {
    error: 'must be a month, as YYYY-MM, or a day of it',
  }),
);

/** Query of GET /api/v1/usage: months or days in UTC. Both are included. */
export const querySchema = z.strictObject({
  by: z._default(z.enum(['month', 'day']), 'month'),
  from: z.optional(asked),
  to: z.optional(asked),
});
export type UsageQuery = z.output<typeof querySchema>;

const counts = {
  /** Emails that SES accepted, through send and send-global together. */
  sends: z.int(),
  /** To how many people these went. */
  recipients: z.int(),
  /** Those through send-global. */
  global_endpoint_sends: z.int(),
  /** By the month or the day in which they happened. */
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
  /** Months, or days. */
  from: z.string(),
  to: z.string(),
  /** By month: every month of the period, also without any use. */
  months: z.optional(z.array(z.object({ month, ...counts }))),
  /** By day: every day of the period, also without any use. */
  days: z.optional(z.array(z.object({ day, ...counts }))),
  total: z.object(counts),
});
export type UsageResponse = z.output<typeof responseSchema>;
