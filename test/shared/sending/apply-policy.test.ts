import { describe, expect, it } from 'vitest';
import type { Contact } from '#shared/contacts/contact';
import type { EmailAddress } from '#shared/contacts/email-address';
import { applyPolicy, blockReasonOf } from '#shared/sending/apply-policy';
import { buildContact, buildErasedContact } from '../../support/contact-builder.ts';
import { buildEmailAddress } from '../../support/email-address-builder.ts';

const cause = { at: 1_700_000_000_000 };
const transactional = { kind: 'transactional' } as const;
const bulk = { kind: 'bulk' } as const;

const [ann, bob, cy] = [
  buildEmailAddress('Ann@example.com'),
  buildEmailAddress('bob@example.com'),
  buildEmailAddress('Cy@example.com'),
];

const lookUpIn =
  (...contacts: Contact[]) =>
  ({ identity }: EmailAddress) =>
    contacts.find(({ email }) => email === identity);

describe('applyPolicy', () => {
  it('keeps all recipients if none is blocked', () => {
    const recipients = applyPolicy(
      { to: ann, moreTo: [], cc: [bob], bcc: [cy] },
      transactional,
      lookUpIn(),
    );

    expect(recipients).toMatchObject({
      cc: [bob],
      bcc: [cy],
      suppressed: [],
      isToSuppressed: false,
    });
  });

  it('drops blocked cc and bcc and names each with its reason', () => {
    const contactOf = lookUpIn(
      buildContact({ email: 'bob@example.com', bounce: cause }),
      buildContact({ email: 'cy@example.com', complaint: cause }),
    );

    const recipients = applyPolicy(
      { to: ann, moreTo: [], cc: [bob], bcc: [cy] },
      transactional,
      contactOf,
    );

    expect(recipients).toMatchObject({
      cc: [],
      bcc: [],
      suppressed: [
        { email: 'bob@example.com', reason: 'bounce' },
        { email: 'Cy@example.com', reason: 'complaint' },
      ],
      isToSuppressed: false,
    });
  });

  it('reports a blocked `to` address', () => {
    const contactOf = lookUpIn(buildContact({ email: 'ann@example.com', bounce: cause }));

    const recipients = applyPolicy(
      { to: ann, moreTo: [], cc: [bob], bcc: [] },
      transactional,
      contactOf,
    );

    expect(recipients.isToSuppressed).toBe(true);
    expect(recipients.suppressed).toEqual([{ email: 'Ann@example.com', reason: 'bounce' }]);
  });

  it('blocks only the addresses that the policy covers', () => {
    const contactOf = lookUpIn(buildContact({ email: 'ann@example.com', unsubscribe: cause }));
    const request = { to: ann, moreTo: [], cc: [], bcc: [] };

    expect(applyPolicy(request, transactional, contactOf).isToSuppressed).toBe(false);
    expect(applyPolicy(request, bulk, contactOf).isToSuppressed).toBe(true);
  });

  it('distinguishes addresses without a contact from those with one', () => {
    const contactOf = lookUpIn(buildContact({ email: 'ann@example.com' }));

    const { isNew } = applyPolicy(
      { to: ann, moreTo: [], cc: [bob], bcc: [] },
      transactional,
      contactOf,
    );

    expect([ann, bob].map(isNew)).toEqual([false, true]);
  });

  it('treats an erased person’s address as new', () => {
    const erased = buildErasedContact();

    const { isNew } = applyPolicy(
      { to: ann, moreTo: [], cc: [], bcc: [] },
      transactional,
      () => erased,
    );

    expect(isNew(ann)).toBe(true);
  });

  it('still blocks an erased person’s address when it was suppressed', () => {
    const erased = buildErasedContact({ bounce: cause });

    const recipients = applyPolicy(
      { to: ann, moreTo: [], cc: [], bcc: [] },
      transactional,
      () => erased,
    );

    expect(recipients).toMatchObject({
      isToSuppressed: true,
      suppressed: [{ email: 'Ann@example.com', reason: 'bounce' }],
    });
  });
});

describe('blockReasonOf', () => {
  it.each([
    { suppression: 'bounce', byTransactional: 'bounce', byBulk: 'bounce' },
    { suppression: 'complaint', byTransactional: 'complaint', byBulk: 'complaint' },
    { suppression: 'manual', byTransactional: 'manual', byBulk: 'manual' },
    { suppression: 'unsubscribe', byTransactional: undefined, byBulk: 'unsubscribe' },
  ])('blocks a contact with $suppression as each policy demands', (row) => {
    const contact = buildContact({ [row.suppression]: cause });

    expect(blockReasonOf(contact, transactional)).toBe(row.byTransactional);
    expect(blockReasonOf(contact, bulk)).toBe(row.byBulk);
  });

  it('lets transactional email through to somebody who only may have complained', () => {
    const contact = buildContact({ complaint: { ...cause, possible: true } });

    expect(blockReasonOf(contact, transactional)).toBeUndefined();
    expect(blockReasonOf(contact, bulk)).toBe('complaint');
  });

  it('blocks nothing if there is no suppression', () => {
    expect(blockReasonOf(buildContact(), transactional)).toBeUndefined();
    expect(blockReasonOf(buildContact(), bulk)).toBeUndefined();
  });

  it('blocks a contact that unsubscribed from the category of the policy, whatever the kind of policy', () => {
    const contact = buildContact({ subscriptions: { news: false } });

    const reasons = [transactional, bulk].map(({ kind }) =>
      blockReasonOf(contact, { kind, categoryKey: 'news' }),
    );
    expect(reasons).toEqual(['unsubscribed_category', 'unsubscribed_category']);
  });

  it('respects only the category of the policy', () => {
    const contact = buildContact({ subscriptions: { news: false, offers: true } });

    expect(blockReasonOf(contact, { kind: 'bulk', categoryKey: 'offers' })).toBeUndefined();
    expect(blockReasonOf(contact, { kind: 'bulk' })).toBeUndefined();
  });

  it('names the suppression before the category', () => {
    const contact = buildContact({ complaint: cause, subscriptions: { news: false } });

    expect(blockReasonOf(contact, { kind: 'bulk', categoryKey: 'news' })).toBe('complaint');
  });

  it('still blocks an erased contact, without its address', () => {
    const contact = buildErasedContact({ bounce: cause });

    expect(blockReasonOf(contact, transactional)).toBe('bounce');
    expect(blockReasonOf(contact, bulk)).toBe('bounce');
  });
});
