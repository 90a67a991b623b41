import { describe, expect, it } from 'vitest';
import {
  preferencesOf,
  preferencesUpdateOf,
  type Subscription,
  unknownCategories,
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

  it('leaves out a category that is gone', () => {
    const contact = buildContact({ subscriptions: { retired: false } });

    expect(preferencesOf(contact, categories).subscriptions).toEqual([yes('news'), yes('offers')]);
  });

  it('shows no subscription of a contact that unsubscribed from everything', () => {
    const contact = buildContact({ subscriptions: { news: true }, ...unsubscribed });

    expect(preferencesOf(contact, categories).subscriptions).toEqual([no('news'), no('offers')]);
  });
});

describe('preferencesUpdateOf', () => {
  it('writes only what is changed', () => {
    const update = preferencesUpdateOf(buildContact(), categories, [no('news')], true);

    expect(update).toEqual({ subscriptions: { news: false }, liftsUnsubscribe: false });
  });

  it('takes the last of several changes of one category', () => {
    const changes = [no('news'), yes('news')];

    const { subscriptions } = preferencesUpdateOf(buildContact(), categories, changes, true);

    expect(subscriptions).toEqual({ news: true });
  });

  it('brings back only one category to a contact that had unsubscribed from everything', () => {
    const contact = buildContact(unsubscribed);

    const update = preferencesUpdateOf(contact, categories, [yes('news')], true);

    expect(update).toEqual({
      subscriptions: { news: true, offers: false },
      liftsUnsubscribe: true,
    });
  });

  it('keeps the contact unsubscribed when it asks for nothing', () => {
    const contact = buildContact(unsubscribed);

    const update = preferencesUpdateOf(contact, categories, [no('news')], true);

    expect(update).toEqual({ subscriptions: { news: false }, liftsUnsubscribe: false });
  });

  it('keeps the contact unsubscribed for a caller who has not proven to speak for it', () => {
    const contact = buildContact(unsubscribed);

    const { liftsUnsubscribe } = preferencesUpdateOf(contact, categories, [yes('news')], false);

    expect(liftsUnsubscribe).toBe(false);
  });
});

describe('unknownCategories', () => {
  it('names each change without a category, with its place', () => {
    const changes = [yes('news'), no('nope'), yes('__proto__')];

    expect(unknownCategories(changes, categories)).toEqual([
      { index: 1, categoryKey: 'nope' },
      { index: 2, categoryKey: '__proto__' },
    ]);
  });
});
