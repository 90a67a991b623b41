import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Console',
  summary: 'Show the console',
  description:
    'The web app: emails and what became of them, contacts, templates, webhooks and settings. Every address below `/console` answers the same page, except for its files below `/console/assets/`.',
  access: 'anybody',
  fields: {
    proxy: 'A page of the console, or one of its files.',
    'accept-encoding': 'With `br` or `gzip`, the answer is compressed.',
  },
  example: { path: { proxy: 'emails' } },
  answers: { 200: { description: 'The page.' } },
  errors: ['endpoint_not_found'],
} as const satisfies EndpointReference;
