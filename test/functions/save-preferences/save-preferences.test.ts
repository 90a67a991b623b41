import { describe, expect, it } from 'vitest';
import type { PreferencesChoice } from '#shared/pages/preferences-form';
import { savePreferences } from '../../../functions/save-preferences/save-preferences.ts';
import { fakeContacts, contactsNow as now } from '../../support/contacts-builder.ts';
import { buildTokenHolder } from '../../support/token-holder-builder.ts';

async function effectsOf(choice: PreferencesChoice) {
  const holder = buildTokenHolder();
  const { contacts, effects } = fakeContacts({
    contacts: [holder.contact],
    categories: [{ key: 'news', name: 'News' }],
  });
  await savePreferences(holder, choice, contacts);
  return { effects, holder };
}

describe('savePreferences', () => {
  it('unsubscribes a person who wants nothing any more', async () => {
    const { effects, holder } = await effectsOf({ kind: 'unsubscribeAll' });

    expect(effects).toEqual([['outbox.unsubscribe', holder.contact, now]]);
  });

  it('lifts the unsubscription of a person who comes back', async () => {
    const { effects, holder } = await effectsOf({ kind: 'resubscribe' });

    const update = { subscriptions: {}, liftsUnsubscribe: true };
    expect(effects).toEqual([['outbox.storePreferences', holder.contact.id, update, now]]);
  });

  it('stores the choice of categories', async () => {
    const changes = [{ categoryKey: 'news', subscribed: false }];

    const { effects, holder } = await effectsOf({ kind: 'save', changes });

    const update = { subscriptions: { news: false }, liftsUnsubscribe: false };
    expect(effects).toEqual([['outbox.storePreferences', holder.contact.id, update, now]]);
  });
});
