import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Links in emails',
  summary: 'Save a person’s preferences',
  description: 'Takes the form of the preference page.',
  access: 'anybody',
  isForPeople: true,
  isBodyOptional: true,
  accepts: ['application/x-www-form-urlencoded', 'multipart/form-data'],
  fields: {
    token: 'The token of the link.',
    shown: 'Each category that the page showed. Others stay as they are.',
    category: 'Each category with a tick.',
    unsubscribeAll: 'The button that ends all bulk email.',
    resubscribe: 'The button that takes such an end back.',
  },
  example: {
    query: { token: 'v1.k1.…' },
    body: { shown: ['newsletter'], category: ['newsletter'] },
  },
  answers: { 200: { description: 'The page again, with what is stored.' } },
  errors: ['malformed_body', 'contact_not_found', 'sender_gone', 'concurrent_change'],
} as const satisfies EndpointReference;
