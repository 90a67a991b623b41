import { describe, expect, it } from 'vitest';
import type { Contact } from '#shared/contacts/contact';
import { changePreferences } from '#shared/preferences/change-preferences';
import type { Subscription } from '#shared/preferences/preferences';
import { buildContact, buildErasedContact } from '../../support/contact-builder.ts';
import { fakeContacts, contactsNow as now } from '../../support/contacts-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const categories = [
  { key: 'news', name: 'News' },
  { key: 'offers', name: 'Offers' },
];

/** Changes the preferences of the contact, the only one there is. */
function prepare(contact: Contact | undefined, changes: readonly Subscription[], isProven = true) {
  const identified = { contactId: (contact ?? buildContact()).id, isProven };
  const { contacts, effects } = fakeContacts({
    contacts: contact === undefined ? [] : [contact],
    categories,
  });
  const run = () => changePreferences(identified, changes, contacts);
  return { run, effects };
}

describe('changePreferences', () => {
  it('stores the change and answers the new state', async () => {
    const contact = buildContact();
    const { run, effects } = prepare(contact, [{ categoryKey: 'news', subscribed: false }]);

    const preferences = await run();

    const update = { subscriptions: { news: false }, liftsUnsubscribe: false };
    expect(effects).toEqual([['outbox.storePreferences', contact, update, now]]);
    expect(preferences.subscriptions).toEqual([
      { categoryKey: 'news', subscribed: false },
      { categoryKey: 'offers', subscribed: true },
    ]);
  });

  it('answers the state after a person who had unsubscribed from everything takes one category back', async () => {
    const contact = buildContact({ unsubscribe: { at: 1 } });
    const { run } = prepare(contact, [{ categoryKey: 'news', subscribed: true }]);

    expect((await run()).subscriptions).toEqual([
      { categoryKey: 'news', subscribed: true },
      { categoryKey: 'offers', subscribed: false },
    ]);
  });

  it('answers that the person stays unsubscribed when the caller may not lift that', async () => {
    const contact = buildContact({ unsubscribe: { at: 1 } });
    const { run } = prepare(contact, [{ categoryKey: 'news', subscribed: true }], false);

    expect((await run()).subscriptions).toEqual([
      { categoryKey: 'news', subscribed: false },
      { categoryKey: 'offers', subscribed: false },
    ]);
  });

  it('writes nothing and tells nobody if everything is so already', async () => {
    const contact = buildContact({ subscriptions: { news: false } });
    const { run, effects } = prepare(contact, [{ categoryKey: 'news', subscribed: false }]);

    expect((await run()).subscriptions[0]).toEqual({ categoryKey: 'news', subscribed: false });
    expect(effects).toEqual([]);
  });

  it('decides anew when another request was faster', async () => {
    const contact = buildContact();
    const faster = { ...contact, subscriptions: { offers: false } };
    const states = [contact, faster];
    const { contacts, effects } = fakeContacts(
      { categories },
      {
        store: { get: async () => states.shift() },
        outbox: { storePreferences: async (seen) => seen === faster },
      },
    );
    const identified = { contactId: contact.id, isProven: true };
    const changes = [{ categoryKey: 'news', subscribed: false }];

    const { subscriptions } = await changePreferences(identified, changes, contacts);

    const update = { subscriptions: { news: false }, liftsUnsubscribe: false };
    expect(effects).toEqual([
      ['outbox.storePreferences', contact, update, now],
      ['outbox.storePreferences', faster, update, now],
    ]);
    expect(subscriptions).toEqual([
      { categoryKey: 'news', subscribed: false },
      { categoryKey: 'offers', subscribed: false },
    ]);
  });

  it('gives up when others are always faster', async () => {
    const contact = buildContact();
    const { contacts, effects } = fakeContacts(
      { contacts: [contact], categories },
      { outbox: { storePreferences: async () => false } },
    );
    const identified = { contactId: contact.id, isProven: true };
    const changes = [{ categoryKey: 'news', subscribed: false }];

    const error = await serviceErrorOf(() => changePreferences(identified, changes, contacts));

    expect(error.code).toBe('concurrent_change');
    expect(effects).toHaveLength(10);
  });

  it('changes nothing when one of the changes names no category', async () => {
    const { run, effects } = prepare(buildContact(), [
      { categoryKey: 'news', subscribed: false },
      { categoryKey: 'nope', subscribed: false },
    ]);

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('unknown_category');
    expect(error.errors?.map(({ path }) => path)).toEqual(['subscriptions.1.categoryKey']);
    expect(effects).toEqual([]);
  });

  it.each([
    ['that is not stored', undefined],
    ['that was erased', buildErasedContact()],
  ])('does not know a contact %s', async (_what, contact) => {
    const { run, effects } = prepare(contact, [{ categoryKey: 'news', subscribed: false }]);

    expect((await serviceErrorOf(run)).code).toBe('contact_not_found');
    expect(effects).toEqual([]);
  });
});
