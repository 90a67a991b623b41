import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Links in emails',
  summary: 'Ask a person to confirm an unsubscribe',
  description:
    'The unsubscribe link of an email leads here. It changes nothing, since link scanners follow links. The organization may have a page of its own.',
  access: 'anybody',
  isForPeople: true,
  fields: { token: 'The token of the link.' },
  example: { query: { token: 'v1.k1.…' } },
  answers: {
    200: { description: 'The page that asks.' },
    302: {
      description: 'To the organization’s own page, with `?token=…`.',
      headers: ['Location'],
    },
  },
  errors: ['contact_not_found', 'sender_gone'],
} as const satisfies EndpointReference;
