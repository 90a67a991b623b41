import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Console',
  summary: 'Show the console',
  description:
    'The app for people: what was sent, to whom, what became of it, and the settings. Every address below `/console` answers the same page, and `/console/assets/` the files that it loads.',
  access: 'anybody',
  fields: {
    proxy: 'A page of the console, or one of its files.',
    'accept-encoding': 'With `br` or `gzip` the answer is compressed.',
  },
  example: { path: { proxy: 'emails' } },
  answers: { 200: { description: 'The page.' } },
  errors: ['endpoint_not_found'],
} as const satisfies EndpointReference;
