import { describe, expect, it } from 'vitest';
import {
  type ChangePreferencesDependencies,
  changePreferences,
} from '#shared/contacts/change-preferences';
import type { Contact } from '#shared/contacts/contact';
import type { Subscription } from '#shared/contacts/preferences';
import { buildContact, buildErasedContact } from '../../support/contact-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const now = 1_750_000_000_000;
const categories = [
  { key: 'news', name: 'News' },
  { key: 'offers', name: 'Offers' },
];

type Saved = Parameters<ChangePreferencesDependencies['savePreferences']>;

/** Changes the preferences of the contact, which is the only one there is. */
function prepare(contact: Contact | undefined, changes: readonly Subscription[], isProven = true) {
  const saved: Saved[] = [];
  const identified = { contactId: (contact ?? buildContact()).id, isProven };
  const run = () =>
    changePreferences(identified, changes, {
      now: () => now,
      getContact: async (id) => (contact?.id === id ? contact : undefined),
      listCategories: async () => categories,
      savePreferences: async (...args) => {
        saved.push(args);
      },
    });
  return { run, saved };
}

describe('changePreferences', () => {
  it('stores the change and answers the new state', async () => {
    const contact = buildContact();
    const { run, saved } = prepare(contact, [{ categoryKey: 'news', subscribed: false }]);

    const preferences = await run();

    const update = { subscriptions: { news: false }, liftsUnsubscribe: false };
    expect(saved).toEqual([[contact.id, update, now]]);
    expect(preferences.subscriptions).toEqual([
      { categoryKey: 'news', subscribed: false },
      { categoryKey: 'offers', subscribed: true },
    ]);
  });

  it('answers the state after everything had been ended and one category comes back', async () => {
    const contact = buildContact({ unsubscribe: { at: 1 } });
    const { run } = prepare(contact, [{ categoryKey: 'news', subscribed: true }]);

    expect((await run()).subscriptions).toEqual([
      { categoryKey: 'news', subscribed: true },
      { categoryKey: 'offers', subscribed: false },
    ]);
  });

  it('answers that all stays ended when the caller may not bring it back', async () => {
    const contact = buildContact({ unsubscribe: { at: 1 } });
    const { run } = prepare(contact, [{ categoryKey: 'news', subscribed: true }], false);

    expect((await run()).subscriptions).toEqual([
      { categoryKey: 'news', subscribed: false },
      { categoryKey: 'offers', subscribed: false },
    ]);
  });

  it('changes nothing when one of the changes names no category', async () => {
    const { run, saved } = prepare(buildContact(), [
      { categoryKey: 'news', subscribed: false },
      { categoryKey: 'nope', subscribed: false },
    ]);

    const error = await serviceErrorOf(run);

    expect(error.code).toBe('unknown_category');
    expect(error.errors?.map(({ path }) => path)).toEqual(['subscriptions.1.categoryKey']);
    expect(saved).toEqual([]);
  });

  it.each([
    ['that is not there', undefined],
    ['that was erased', buildErasedContact()],
  ])('knows no contact %s', async (_what, contact) => {
    const { run, saved } = prepare(contact, [{ categoryKey: 'news', subscribed: false }]);

    expect((await serviceErrorOf(run)).code).toBe('contact_not_found');
    expect(saved).toEqual([]);
  });
});
