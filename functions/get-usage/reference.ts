import type { EndpointReference } from '#shared/openapi/endpoint-reference';

const counts = {
  sends: 120,
  recipients: 134,
  global_endpoint_sends: 20,
  events: { sent: 120, delivered: 118, bounced: 2, complained: 0, opened: 60, clicked: 31 },
  attachments: 4,
  attachmentBytes: 36_000_000,
};

export const reference = {
  section: 'Usage',
  summary: 'Read the usage of the organization',
  description:
    'Month by month, or with `by=day` day by day, in UTC. `from` and `to` are included, and span at most 24 months, or 92 days. `from` alone means until now, `to` alone that one month or day, neither the current month, or the last 30 days. Days are counted from the version of the service on that has them; months before it have no days. Figures follow within about a minute.',
  access: { key: 'required', scope: 'manage_organization' },
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
  answers: {
    200: {
      description: 'The usage.',
      example: {
        from: '2026-11',
        to: '2026-11',
        months: [{ month: '2026-11', ...counts }],
        total: counts,
      },
    },
  },
} as const satisfies EndpointReference;
