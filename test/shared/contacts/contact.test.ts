import { describe, expect, it } from 'vitest';
import { isKnown, isSubscribed } from '#shared/contacts/contact';
import { buildContact, buildErasedContact } from '../../support/contact-builder.ts';

describe('isKnown', () => {
  it('answers yes for a contact with an address, and no for an erased one and for none', () => {
    const contacts = [buildContact(), buildErasedContact(), undefined];

    expect(contacts.map(isKnown)).toEqual([true, false, false]);
  });
});

describe('isSubscribed', () => {
  it('treats a contact that never chose as subscribed', () => {
    expect(isSubscribed(buildContact(), 'news')).toBe(true);
  });

  it.each([true, false])('answers what the contact chose: %s', (choice) => {
    expect(isSubscribed(buildContact({ subscriptions: { news: choice } }), 'news')).toBe(choice);
  });

  it.each(['__proto__', 'constructor', 'toString'])(
    'takes %s for a category like any other',
    (categoryKey) => {
      expect(isSubscribed(buildContact(), categoryKey)).toBe(true);
    },
  );
});
