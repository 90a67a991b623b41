import { describe, expect, it } from 'vitest';
import type { Contact } from '#shared/contacts/contact';
import { signContactToken } from '#shared/preferences/contact-token';
import { contactIdOf, feedbackIdOf, newOrganizationId } from '#shared/tokens/resource-id';
import { endpoint as getPreferences } from '../../../functions/get-preferences/get-preferences.ts';
import { buildContact, buildErasedContact } from '../../support/contact-builder.ts';
import { fakeContacts, someSource as source } from '../../support/contacts-builder.ts';
import { buildKeyring } from '../../support/keyring-builder.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { newSendId } from '../../support/send-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

type Asked = {
  readonly token?: string;
  readonly email?: string;
  readonly caller?: typeof reader;
};

const organizationId = newOrganizationId();
const id = contactIdOf(organizationId, 'ann@example.com');
const { caller: reader } = buildManager(organizationId);
const keyring = buildKeyring();
const token = signContactToken(keyring, 'preferences', {
  contactId: id,
  feedbackId: feedbackIdOf(newSendId(organizationId)),
});

/** Asks in a world where this is stored of Ann. Her address leads to her even if nothing is stored. */
function prepare(contact: Contact | undefined) {
  const { contacts } = fakeContacts(
    {
      keyring,
      contacts: contact === undefined ? [] : [contact],
      categories: [{ key: 'news', name: 'News' }],
      bareRequests: 1,
    },
    { store: { findIds: async () => [id] } },
  );
  return {
    ask: ({ caller, ...query }: Asked) =>
      getPreferences.run({ ...surroundings, caller, source, query }, contacts),
  };
}

const byAnyName: [string, Asked][] = [
  ['a token', { token }],
  ['an address', { email: 'ann@example.com' }],
  ['an address and a key', { email: 'ann@example.com', caller: reader }],
];

describe('getPreferences', () => {
  it.each(byAnyName)('returns what the contact is subscribed to, by %s', async (_name, query) => {
    const { ask } = prepare(buildContact({ id, subscriptions: { news: false } }));

    expect(await ask(query)).toEqual({
      contact: { id, email: 'ann@example.com' },
      categories: [{ key: 'news', name: 'News' }],
      subscriptions: [{ categoryKey: 'news', subscribed: false }],
    });
  });

  it.each(byAnyName)("doesn't find an erased person by %s", async (_name, query) => {
    const { ask } = prepare(buildErasedContact({ id, bounce: { at: 1 } }));

    expect((await serviceErrorOf(() => ask(query))).code).toBe('contact_not_found');
  });

  it.each(byAnyName)("doesn't find an unknown contact by %s", async (_name, query) => {
    const { ask } = prepare(undefined);

    expect((await serviceErrorOf(() => ask(query))).code).toBe('contact_not_found');
  });
});
