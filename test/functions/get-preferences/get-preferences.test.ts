import { describe, expect, it } from 'vitest';
import type { Contact } from '#shared/contacts/contact';
import type { ContactQuery } from '#shared/contacts/identify-contact';
import { contactIdOf, newOrganizationId } from '#shared/tokens/resource-id';
import { getPreferences } from '../../../functions/get-preferences/get-preferences.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildContact, buildErasedContact } from '../../support/contact-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const organizationId = newOrganizationId();
const id = contactIdOf(organizationId, 'ann@example.com');
const reader = buildApiKey({ organizationId, scopes: ['preferences_read'] });

/** Asks in a world where `good` is a token of Ann, and this is what is stored of her. */
const prepare = (contact: Contact | undefined) => ({
  ask: (query: Partial<ContactQuery>) =>
    getPreferences(
      { token: undefined, email: undefined, credential: undefined, ...query },
      {
        now: () => 1_750_000_000_000,
        apiKeys: {
          get: async (keyId) => (reader.apiKey.id === keyId ? reader.apiKey : undefined),
        },
        contactOfToken: async (token) => (token === 'good' ? id : undefined),
        findContactIds: async () => [id],
        getContact: async (contactId) => (contactId === id ? contact : undefined),
        listCategories: async () => [{ key: 'news', name: 'News' }],
      },
    ),
});

const byAnyName: [string, Partial<ContactQuery>][] = [
  ['a token', { token: 'good' }],
  ['an address', { email: 'ann@example.com' }],
  ['an address and a key', { email: 'ann@example.com', credential: reader.text }],
];

describe('getPreferences', () => {
  it.each(byAnyName)('answers what the contact is subscribed to, by %s', async (_name, query) => {
    const { ask } = prepare(buildContact({ id, subscriptions: { news: false } }));

    expect(await ask(query)).toEqual({
      contact: { id, email: 'ann@example.com' },
      categories: [{ key: 'news', name: 'News' }],
      subscriptions: [{ categoryKey: 'news', subscribed: false }],
    });
  });

  it.each(byAnyName)('knows nobody who was erased, by %s', async (_name, query) => {
    const { ask } = prepare(buildErasedContact({ id, bounce: { at: 1 } }));

    expect((await serviceErrorOf(() => ask(query))).code).toBe('contact_not_found');
  });

  it.each(byAnyName)('knows no contact that is not there, by %s', async (_name, query) => {
    const { ask } = prepare(undefined);

    expect((await serviceErrorOf(() => ask(query))).code).toBe('contact_not_found');
  });
});
