import * as z from 'zod/mini';
import { contactEnvironment } from '#shared/config/environment';
import { isKnown } from '#shared/contacts/contact';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import { sourceNetworkOf } from '#shared/http/source-address';
import { type Contacts, openContacts } from '#shared/preferences/contacts';
import { findContact } from '#shared/preferences/find-contact';
import { maxRequestsPerHour } from '#shared/preferences/limit-strangers';
import { preferencesOf, preferencesSchema } from '#shared/preferences/preferences';
import { bareAddressPartitions } from '#shared/table/keys';
import { exampleIds } from '#shared/tokens/example-values';
import { organizationIdOf } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/preferences',
    access: { key: 'optional', scope: 'preferences_read' },
    query: z.strictObject({
      token: z.optional(z.string()),
      email: z.optional(z.string()),
    }),
    answers: {
      200: {
        body: preferencesSchema,
        description:
          'The contact, the categories of the organization, and the ones it is subscribed to.',
        example: {
          contact: { id: exampleIds.contact, email: 'ann@example.com' },
          categories: [{ key: 'newsletter', name: 'Newsletter' }],
          subscriptions: [{ categoryKey: 'newsletter', subscribed: true }],
        },
      },
    },
    errors: ['validation_failed', 'ambiguous_contact', 'contact_not_found', 'rate_limited'],
    uses: openContacts,
    lambda: {
      stack: 'Links',
      reservation: 'links',
      environment: contactEnvironment,
      tableActions: ['GetItem', 'Query', 'UpdateItem'],
      writesOnlyIn: { UpdateItem: [bareAddressPartitions] },
      queriesIndexes: ['gsi1'],
      readsSecrets: ['tokenSigningKey'],
    },
    words: {
      section: 'Preferences',
      summary: 'Read the preferences of a contact',
      description: `Name the contact by the token of a preferences link, or by its address; the token wins. With a key, only contacts of the key’s organization are found. An address without a key works only if exactly one organization knows it and allows that (\`preferencesByAddress\`), and at most ${maxRequestsPerHour} times an hour.`,
      example: { query: { email: 'ann@example.com' } },
    },
  },
  async ({ caller, source, query }, contacts: Contacts) => {
    const network = sourceNetworkOf(source, contacts.proxiesInFront);
    const { contactId } = await findContact({ ...query, caller, network }, 'read', contacts);
    const [contact, categories] = await Promise.all([
      contacts.store.get(contactId),
      contacts.categories.list(organizationIdOf(contactId)),
    ]);
    if (!isKnown(contact)) throw new ServiceError('contact_not_found');
    return preferencesOf(contact, categories);
  },
);
