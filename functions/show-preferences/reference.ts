import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Links in emails',
  summary: 'Show a person their preferences',
  description: 'The preference link of an email leads here. The page has a form.',
  access: 'anybody',
  isForPeople: true,
  fields: { token: 'The token of the link.' },
  example: { query: { token: 'v1.k1.…' } },
  answers: { 200: { description: 'The page.' } },
  errors: ['contact_not_found', 'sender_gone'],
} as const satisfies EndpointReference;
