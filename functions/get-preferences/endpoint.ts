import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds } from '#shared/endpoints/example-values';
import { preferencesSchema } from '#shared/preferences/preferences';

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/preferences',
  access: { key: 'optional', scope: 'preferences_read' },
  query: z.strictObject({
    token: z.optional(z.string()),
    email: z.optional(z.string()),
  }),
  answers: {
    200: {
      body: preferencesSchema,
      description: 'The contact, the categories of the organization, and which of them it gets.',
      example: {
        contact: { id: exampleIds.contact, email: 'ann@example.com' },
        categories: [{ key: 'newsletter', name: 'Newsletter' }],
        subscriptions: [{ categoryKey: 'newsletter', subscribed: true }],
      },
    },
  },
  errors: ['validation_failed', 'ambiguous_contact', 'contact_not_found', 'rate_limited'],
  lambda: {
    stack: 'Links',
    reservation: 'links',
    takesBareAddresses: true,
    tableActions: ['GetItem', 'Query', 'UpdateItem'],
    queriesIndexes: ['gsi1'],
    readsSecrets: ['tokenSigningKey'],
  },
  words: {
    section: 'Preferences',
    summary: 'Read the preferences of a contact',
    description:
      'The contact is named by the token of a preference link, or by its address. The token wins. With a key, the contact of the key’s organization is meant. An address without a key must be known to one organization only that lets it speak (`preferencesByAddress`), and is served ten times an hour.',
    example: { query: { email: 'ann@example.com' } },
  },
});
