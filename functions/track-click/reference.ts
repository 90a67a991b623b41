import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Links in emails',
  summary: 'Follow a tracked link',
  description:
    'Records the click and redirects to where the link leads. `HEAD` answers the same and records nothing. A forged or altered token leads nowhere.',
  access: 'anybody',
  isForPeople: true,
  fields: { token: 'The signed token of the link.' },
  example: { path: { token: 'v1.k1.…' } },
  answers: { 302: { description: 'To where the link leads.', headers: ['Location'] } },
  errors: ['link_not_found'],
} as const satisfies EndpointReference;
