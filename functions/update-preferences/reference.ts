import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds } from '#shared/openapi/example-values';

export const reference = {
  section: 'Preferences',
  summary: 'Change the preferences of a contact',
  description:
    'Changes the categories that the request names, all of them or none. Anybody may know an address, so an address alone ends email and brings none back: `"subscribed": true` takes a token or a key, and is passed over without one. An address alone is served ten times an hour.',
  access: { key: 'optional', scope: 'preferences_manage' },
  example: {
    body: {
      email: 'ann@example.com',
      subscriptions: [{ categoryKey: 'newsletter', subscribed: false }],
    },
  },
  answers: {
    200: {
      description: 'The preferences after the change.',
      example: {
        contact: { id: exampleIds.contact, email: 'ann@example.com' },
        categories: [{ key: 'newsletter', name: 'Newsletter' }],
        subscriptions: [{ categoryKey: 'newsletter', subscribed: false }],
      },
    },
  },
  errors: ['ambiguous_contact', 'unknown_category', 'contact_not_found', 'rate_limited'],
} as const satisfies EndpointReference;
