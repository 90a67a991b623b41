import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Links in emails',
  summary: 'Ask whether an address wants notices',
  description:
    'The link that was mailed to a new `noticeEmail` leads here. The page has a button. Opening it changes nothing: mail scanners open links too.',
  access: 'anybody',
  isForPeople: true,
  fields: { token: 'The token of the link.' },
  example: { query: { token: 'v1.k1.…' } },
  answers: { 200: { description: 'The page.' } },
  errors: ['link_not_found'],
} as const satisfies EndpointReference;
