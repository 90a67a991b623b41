import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Webhooks',
  summary: 'Attempt the webhook deliveries that are due',
  description:
    'The deployment’s schedule does this each minute. A run begins attempts for 10 seconds, and leaves the rest to the next.',
  access: 'cron_secret',
  example: {},
  answers: {
    200: {
      description: 'What became of the attempts.',
      example: { processed: 3, delivered: 2, rescheduled: 1, failed: 0 },
    },
  },
} as const satisfies EndpointReference;
