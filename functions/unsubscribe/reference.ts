import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  section: 'Preferences',
  summary: 'Unsubscribe an address from bulk email',
  description: `Ends bulk email to the recipient of the email that the token came with. Mail clients do this with one click (RFC 8058).

A program may name the address instead: with a key in the key's organization, with \`organizationId\` in that one, else in every organization that knows the address. Without a key the answer is the same whether or not the address is known, and an address is served ten times an hour.`,
  access: { key: 'optional' },
  isForPeople: true,
  isBodyOptional: true,
  accepts: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  fields: {
    organizationId: 'The organization whose email ends.',
    status: 'Also when it was unsubscribed before, or the sender was deleted since.',
  },
  example: { query: {}, body: { email: 'ann@example.com' } },
  answers: {
    200: { description: 'It is unsubscribed.', example: { status: 'unsubscribed' } },
  },
  errors: ['malformed_body', 'validation_failed', 'contact_not_found', 'rate_limited'],
} as const satisfies EndpointReference;
