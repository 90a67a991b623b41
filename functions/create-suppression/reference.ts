import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import {
  exampleSuppression,
  possibleComplaint,
  suppressedAt,
  suppressionReason,
} from '#shared/suppressions/suppression-reference';

export const reference = {
  section: 'Suppressions',
  summary: 'Suppress an address by hand',
  description:
    'From the next request on, the address gets no email. Repeating it changes nothing: the first cause stays.',
  access: { key: 'required', scope: 'manage_organization' },
  fields: {
    email: 'The bare address.',
    contactId: 'The contact.',
    reason: suppressionReason,
    at: suppressedAt,
    diagnostic: 'Why, in your words.',
    possible: possibleComplaint,
  },
  example: { body: { email: 'bob@example.com', diagnostic: 'asked by phone' } },
  answers: {
    201: {
      description: 'The address is suppressed, now or since earlier.',
      example: { ...exampleSuppression, reason: 'manual', diagnostic: 'asked by phone' },
    },
  },
  errors: ['concurrent_change'],
} as const satisfies EndpointReference;
