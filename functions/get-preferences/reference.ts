import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds } from '#shared/openapi/example-values';

export const reference = {
  section: 'Preferences',
  summary: 'Read the preferences of a contact',
  description:
    'The contact is named by the token of a preference link, or by its address. The token wins. With a key, the contact of the key’s organization is meant. An address without a key must be known to one organization only that lets it speak (`preferencesByAddress`), and is served ten times an hour.',
  access: { key: 'optional', scope: 'preferences_read' },
  example: { query: { email: 'ann@example.com' } },
  answers: {
    200: {
      description: 'The contact, the categories of the organization, and which of them it gets.',
      example: {
        contact: { id: exampleIds.contact, email: 'ann@example.com' },
        categories: [{ key: 'newsletter', name: 'Newsletter' }],
        subscriptions: [{ categoryKey: 'newsletter', subscribed: true }],
      },
    },
  },
  errors: ['validation_failed', 'ambiguous_contact', 'contact_not_found', 'rate_limited'],
} as const satisfies EndpointReference;
