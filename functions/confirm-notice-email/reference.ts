import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Links in emails',
  summary: 'Confirm that an address wants notices',
  description:
    'Takes the form of the page. From then on the organization’s `noticeEmailState` is `confirmed`, until it sets another address.',
  access: 'anybody',
  isForPeople: true,
  fields: { token: 'The token of the link.' },
  example: { query: { token: 'v1.k1.…' } },
  answers: { 200: { description: 'The page, which says that it is done.' } },
  errors: ['link_not_found', 'concurrent_change'],
} as const satisfies EndpointReference;
