import { describe, expect, it } from 'vitest';
import type { KnownContact } from '#shared/contacts/contact';
import type { PreferencesChoice } from '#shared/pages/preferences-form';
import { contactIdOf } from '#shared/tokens/resource-id';
import { savePreferences } from '../../../functions/save-preferences/save-preferences.ts';
import { buildContact } from '../../support/contact-builder.ts';
import { fakeContacts, contactsNow as now } from '../../support/contacts-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { buildTokenHolder } from '../../support/token-holder-builder.ts';

async function effectsOf(choice: PreferencesChoice, overrides: Partial<KnownContact> = {}) {
  const organization = buildOrganization();
  const id = contactIdOf(organization.id, 'ann@example.com');
  const contact = buildContact({ id, ...overrides });
  const holder = buildTokenHolder({ organization, contact });
  const { contacts, effects } = fakeContacts({
    contacts: [contact],
    categories: [{ key: 'news', name: 'News' }],
  });
  await savePreferences(holder, choice, contacts);
  return { effects, holder };
}

describe('savePreferences', () => {
  it('unsubscribes a person who deselects everything', async () => {
    const { effects, holder } = await effectsOf({ kind: 'unsubscribeAll' });

    expect(effects).toEqual([['outbox.unsubscribe', holder.contact, now]]);
  });

  it('lifts the unsubscription of a person who returns', async () => {
    const { effects, holder } = await effectsOf(
      { kind: 'resubscribe' },
      { unsubscribe: { at: 1 } },
    );

    const update = { subscriptions: {}, liftsUnsubscribe: true };
    expect(effects).toEqual([['outbox.storePreferences', holder.contact, update, now]]);
  });

  it('changes nothing for a person who has already returned', async () => {
    const { effects } = await effectsOf({ kind: 'resubscribe' });

    expect(effects).toEqual([]);
  });

  it('stores the choice of categories', async () => {
    const changes = [{ categoryKey: 'news', subscribed: false }];

    const { effects, holder } = await effectsOf({ kind: 'save', changes });

    const update = { subscriptions: { news: false }, liftsUnsubscribe: false };
    expect(effects).toEqual([['outbox.storePreferences', holder.contact, update, now]]);
  });

  it('changes nothing when an unsubscribed person saves the page unchanged', async () => {
    const changes = [{ categoryKey: 'news', subscribed: false }];

    const { effects } = await effectsOf({ kind: 'save', changes }, { unsubscribe: { at: 1 } });

    expect(effects).toEqual([]);
  });

  it('stores the choice without a category that was deleted while the page was open', async () => {
    const changes = [
      { categoryKey: 'gone', subscribed: false },
      { categoryKey: 'news', subscribed: false },
    ];

    const { effects, holder } = await effectsOf({ kind: 'save', changes });

    const update = { subscriptions: { news: false }, liftsUnsubscribe: false };
    expect(effects).toEqual([['outbox.storePreferences', holder.contact, update, now]]);
  });
});
