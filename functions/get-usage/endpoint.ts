import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';

// How long a period may be, and the default: `shared/usage/month.ts` and `day.ts`.
const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/));

const month = z.string().check(z.regex(/^\d{4}-\d{2}$/));

/** By month, a day stands for its month. By day, only a day will do. */
const asked = z.string().check(
  z.regex(/^\d{4}-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?$/, {
    error: 'must be a month, as YYYY-MM, or a day of it',
  }),
);

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

const exampleCounts = {
  sends: 120,
  recipients: 134,
  global_endpoint_sends: 20,
  events: { sent: 120, delivered: 118, bounced: 2, complained: 0, opened: 60, clicked: 31 },
  attachments: 4,
  attachmentBytes: 36_000_000,
};

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/usage',
  access: { key: 'required', scope: 'manage_organization' },
  query: z.strictObject({
    by: z._default(z.enum(['month', 'day']), 'month'),
    from: z.optional(asked),
    to: z.optional(asked),
  }),
  answers: {
    200: {
      body: z.object({
        /** Months, or days. */
        from: z.string(),
        to: z.string(),
        /** By month: every month of the period, also without any use. */
        months: z.optional(z.array(z.object({ month, ...counts }))),
        /** By day: every day of the period, also without any use. */
        days: z.optional(z.array(z.object({ day, ...counts }))),
        total: z.object(counts),
      }),
      description: 'The usage.',
      example: {
        from: '2026-11',
        to: '2026-11',
        months: [{ month: '2026-11', ...exampleCounts }],
        total: exampleCounts,
      },
    },
  },
  lambda: { stack: 'Account', tableActions: ['GetItem', 'Query'] },
  words: {
    section: 'Usage',
    summary: 'Read the usage of the organization',
    description:
      'Month by month, or with `by=day` day by day, in UTC. `from` and `to` are included, and span at most 24 months, or 92 days. `from` alone means until now, `to` alone that one month or day, neither the current month, or the last 30 days. Days are counted from the version of the service on that has them; months before it have no days. Figures follow within about a minute.',
    fields: {
      by: '`month` unless told otherwise, or `day`.',
      from: 'The first month, as `YYYY-MM`, where a day stands for its month; by day, the first day, as `YYYY-MM-DD`.',
      to: 'The last month or day, in the same way.',
      day: 'As `YYYY-MM-DD`, in UTC.',
      days: 'By day: every day of the period, also without any use.',
      month: 'As `YYYY-MM`, in UTC.',
      months: 'By month: every month of the period, also without any use.',
      total: 'The sums.',
      sends: 'Emails that SES took, once each, in the month or on the day in which it took them.',
      recipients:
        'To how many people these went: to, cc and bcc, without those left out. It is what SES bills and limits. Counted from the version of the service on that has it.',
      global_endpoint_sends: 'Those through send-global.',
      events:
        'By the month or the day in which they happened. Repeated opens, and clicks of the same link, count once.',
      attachments: 'Files in these emails.',
      attachmentBytes: 'Their size, decoded.',
    },
    example: { query: { from: '2026-11', to: '2026-11' } },
  },
});

export type UsageQuery = z.output<typeof endpoint.query>;
export type UsageResponse = z.output<(typeof endpoint.answers)[200]['body']>;
