import * as z from 'zod/mini';
import { isKnown } from '#shared/contacts/contact';
import { getContact } from '#shared/contacts/contact-store';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import { sourceNetworkOf } from '#shared/http/source-address';
import { listCategories } from '#shared/preferences/category-store';
import { findContact } from '#shared/preferences/find-contact';
import { knowsStrangerRules, maxRequestsPerHour } from '#shared/preferences/limit-strangers';
import { preferencesOf, preferencesSchema } from '#shared/preferences/preferences';
import { bareAddressPartitions } from '#shared/table/keys';
import { exampleIds } from '#shared/tokens/example-values';
import { readsKeyring } from '#shared/tokens/keyring-reader';
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
    uses: { keyring: readsKeyring, strangers: knowsStrangerRules },
    lambda: {
      stack: 'Links',
      reservation: 'links',
      tableActions: ['GetItem', 'Query', 'UpdateItem'],
      writesOnlyIn: { UpdateItem: [bareAddressPartitions] },
      queriesIndexes: ['gsi1'],
    },
    words: {
      section: 'Preferences',
      summary: 'Read the preferences of a contact',
      description: `Name the contact by the token of a preferences link, or by its address; the token wins. With a key, only contacts of the key’s organization are found. An address without a key works only if exactly one organization knows it and allows that (\`preferencesByAddress\`), and at most ${maxRequestsPerHour} times an hour.`,
      example: { query: { email: 'ann@example.com' } },
    },
  },
  async ({ caller, source, query }, finding) => {
    const { table, strangers } = finding;
    const network = sourceNetworkOf(source, strangers.proxiesInFront);
    const { contactId } = await findContact({ ...query, caller, network }, 'read', finding);
    const [contact, categories] = await Promise.all([
      getContact(table, contactId),
      listCategories(table, organizationIdOf(contactId)),
    ]);
    if (!isKnown(contact)) throw new ServiceError('contact_not_found');
    return preferencesOf(contact, categories);
  },
);
