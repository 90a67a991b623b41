import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isNoUpdate,
  preferencesOf,
  preferencesUpdateOf,
  type Subscription,
  unknownCategories,
  updatedContact,
} from '#shared/preferences/preferences';
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

const anyChange: fc.Arbitrary<Subscription> = fc.record({
  categoryKey: fc.constantFrom('news', 'offers'),
  subscribed: fc.boolean(),
});

describe('preferencesUpdateOf', () => {
  it('writes only what is changed', () => {
    const contact = buildContact({ subscriptions: { offers: false } });

    const update = preferencesUpdateOf(contact, categories, [no('news'), no('offers')], true);

    expect(update).toEqual({ subscriptions: { news: false }, liftsUnsubscribe: false });
  });

  it.each([
    ['that is subscribed by default', {}, yes('news')],
    ['that is subscribed', { news: true }, yes('news')],
    ['that is not', { news: false }, no('news')],
  ])('writes nothing for a category %s and stays so', (_what, subscriptions, change) => {
    const contact = buildContact({ subscriptions });

    expect(isNoUpdate(preferencesUpdateOf(contact, categories, [change], true))).toBe(true);
  });

  it('takes the last of several changes of one category', () => {
    const contact = buildContact({ subscriptions: { news: false } });

    const { subscriptions } = preferencesUpdateOf(
      contact,
      categories,
      [no('news'), yes('news')],
      true,
    );

    expect(subscriptions).toEqual({ news: true });
  });

  it('brings back only one category to a contact that had unsubscribed from everything', () => {
    const contact = buildContact(unsubscribed);

    const update = preferencesUpdateOf(contact, categories, [yes('news')], true);

    expect(update).toEqual({
      subscriptions: { news: true, offers: false },
      liftsUnsubscribe: true,
    });
    expect(isNoUpdate(update)).toBe(false);
  });

  it.each([true, false])(
    'keeps that a contact leaves a category after everything, for when the unsubscription is lifted (proven: %s)',
    (isProven) => {
      const contact = buildContact({ subscriptions: { offers: false }, ...unsubscribed });

      const update = preferencesUpdateOf(contact, categories, [no('news'), no('offers')], isProven);

      expect(update).toEqual({ subscriptions: { news: false }, liftsUnsubscribe: false });
    },
  );

  it.each([
    ['a category that the contact left', { subscriptions: { news: false } }],
    ['bulk email that the contact ended', unsubscribed],
  ])('brings back nothing by a bare address: %s', (_what, overrides) => {
    const contact = buildContact(overrides);

    const update = preferencesUpdateOf(contact, categories, [yes('news')], false);

    expect(isNoUpdate(update)).toBe(true);
  });

  it('takes what a bare address ends, beside what it may not bring back', () => {
    const contact = buildContact({ subscriptions: { news: false } });

    const update = preferencesUpdateOf(contact, categories, [yes('news'), no('offers')], false);

    expect(update).toEqual({ subscriptions: { offers: false }, liftsUnsubscribe: false });
  });

  it('never subscribes anybody to anything by a bare address', () => {
    const states = fc.record({
      subscriptions: fc.dictionary(fc.constantFrom('news', 'offers'), fc.boolean()),
      isUnsubscribed: fc.boolean(),
    });
    fc.assert(
      fc.property(states, fc.array(anyChange), ({ subscriptions, isUnsubscribed }, changes) => {
        const contact = buildContact({ subscriptions, ...(isUnsubscribed && unsubscribed) });
        const update = preferencesUpdateOf(contact, categories, changes, false);
        const after = preferencesOf(updatedContact(contact, update), categories).subscriptions;
        const before = preferencesOf(contact, categories).subscriptions;

        for (const [index, { subscribed }] of after.entries()) {
          expect(subscribed && !before[index]?.subscribed).toBe(false);
        }
      }),
    );
  });

  it('leads a proven caller to what it asked for', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(anyChange), (isUnsubscribed, changes) => {
        const contact = buildContact(isUnsubscribed ? unsubscribed : {});
        const update = preferencesUpdateOf(contact, categories, changes, true);
        const after = preferencesOf(updatedContact(contact, update), categories).subscriptions;

        const wish = new Map(
          changes.map(({ categoryKey, subscribed }) => [categoryKey, subscribed]),
        );
        const expected = categories.map(({ key }) => ({
          categoryKey: key,
          subscribed: wish.get(key) ?? !isUnsubscribed,
        }));
        expect(after).toEqual(expected);
      }),
    );
  });
});

describe('isNoUpdate', () => {
  it.each([
    ['nothing', {}, false, true],
    ['a category', { news: true }, false, false],
    ['the unsubscription alone', {}, true, false],
  ])('of an update that changes %s', (_what, subscriptions, liftsUnsubscribe, expected) => {
    expect(isNoUpdate({ subscriptions, liftsUnsubscribe })).toBe(expected);
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
