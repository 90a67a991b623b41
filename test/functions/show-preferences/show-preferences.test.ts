import { describe, expect, it } from 'vitest';
import { signContactToken } from '#shared/preferences/contact-token';
import { showPreferences } from '../../../functions/show-preferences/show-preferences.ts';
import { buildContact } from '../../support/contact-builder.ts';
import { fakeContacts } from '../../support/contacts-builder.ts';
import { buildKeyring } from '../../support/keyring-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { buildTokenHolder } from '../../support/token-holder-builder.ts';

const { token, organization, contact } = buildTokenHolder();
const keyring = buildKeyring();
const { contacts, effects } = fakeContacts({
  keyring,
  organizations: [organization],
  contacts: [
    buildContact({ id: contact.id, subscriptions: { news: false }, unsubscribe: { at: 1 } }),
  ],
  categories: [{ key: 'news', name: 'News' }],
});

describe('showPreferences', () => {
  it("returns the token holder's subscriptions, and changes nothing", async () => {
    const text = signContactToken(keyring, 'preferences', token);

    expect(await showPreferences(text, contacts)).toEqual({
      organizationName: organization.name,
      preferences: {
        contact: { id: contact.id, email: 'ann@example.com' },
        categories: [{ key: 'news', name: 'News' }],
        subscriptions: [{ categoryKey: 'news', subscribed: false }],
      },
      unsubscribedFromAll: true,
    });
    expect(effects).toEqual([]);
  });

  it('reports whether the holder has unsubscribed from everything', async () => {
    const text = signContactToken(keyring, 'preferences', token);
    const { contacts: subscribed } = fakeContacts({
      keyring,
      organizations: [organization],
      contacts: [buildContact({ id: contact.id })],
      categories: [],
    });

    expect(await showPreferences(text, subscribed)).toMatchObject({ unsubscribedFromAll: false });
  });

  it.each([undefined, 'forged', signContactToken(keyring, 'unsubscribe', token)])(
    'shows nothing for %j',
    async (text) => {
      const error = await serviceErrorOf(() => showPreferences(text, contacts));

      expect(error.code).toBe('contact_not_found');
    },
  );
});
