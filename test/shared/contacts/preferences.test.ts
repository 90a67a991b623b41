import { describe, expect, it } from 'vitest';
import {
  preferencesOf,
  type Subscription,
  unknownCategories,
  updatePreferences,
} from '#shared/contacts/preferences';
import { buildContact } from '../../support/contact-builder.ts';

const categories = [
  { key: 'news', name: 'News' },
  { key: 'offers', name: 'Offers' },
];
const unsubscribed = { unsubscribe: { at: 1_000 } };

const yes = (categoryKey: string): Subscription => ({ categoryKey, subscribed: true });
const no = (categoryKey: string): Subscription => ({ categoryKey, subscribed: false });

describe('preferencesOf', () => {
  it('shows contact, categories and one subscription for each', () => {
    const contact = buildContact({ subscriptions: { offers: false } });

    expect(preferencesOf(contact, categories)).toEqual({
      contact: { id: contact.id, email: 'ann@example.com' },
      categories,
      subscriptions: [yes('news'), no('offers')],
    });
  });

  it('shows nothing of a category that is gone', () => {
    const contact = buildContact({ subscriptions: { retired: false } });

    expect(preferencesOf(contact, categories).subscriptions).toEqual([yes('news'), yes('offers')]);
  });

  it('shows no subscription of a contact that unsubscribed from everything', () => {
    const contact = buildContact({ subscriptions: { news: true }, ...unsubscribed });

    expect(preferencesOf(contact, categories).subscriptions).toEqual([no('news'), no('offers')]);
  });
});

describe('updatePreferences', () => {
  it('writes what is changed and nothing else', () => {
    const update = updatePreferences(buildContact(), categories, [no('news')], true);

    expect(update).toEqual({ subscriptions: { news: false }, liftsUnsubscribe: false });
  });

  it('takes the last of several changes of one category', () => {
    const changes = [no('news'), yes('news')];

    const { subscriptions } = updatePreferences(buildContact(), categories, changes, true);

    expect(subscriptions).toEqual({ news: true });
  });

  it('brings back one category alone to who had unsubscribed from everything', () => {
    const contact = buildContact(unsubscribed);

    const update = updatePreferences(contact, categories, [yes('news')], true);

    expect(update).toEqual({
      subscriptions: { news: true, offers: false },
      liftsUnsubscribe: true,
    });
  });

  it('keeps everything ended when nothing is asked for', () => {
    const contact = buildContact(unsubscribed);

    const update = updatePreferences(contact, categories, [no('news')], true);

    expect(update).toEqual({ subscriptions: { news: false }, liftsUnsubscribe: false });
  });

  it('keeps everything ended for a caller who has not proven to speak for the contact', () => {
    const contact = buildContact(unsubscribed);

    const { liftsUnsubscribe } = updatePreferences(contact, categories, [yes('news')], false);

    expect(liftsUnsubscribe).toBe(false);
  });
});

describe('unknownCategories', () => {
  it('names each change of no category, with its place', () => {
    const changes = [yes('news'), no('nope'), yes('__proto__')];

    expect(unknownCategories(changes, categories)).toEqual([
      { index: 1, categoryKey: 'nope' },
      { index: 2, categoryKey: '__proto__' },
    ]);
  });
});
