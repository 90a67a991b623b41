import { describe, expect, it } from 'vitest';
import { blockReasonOf } from '#shared/suppressions/block-reason';
import { buildContact, buildErasedContact } from '../../support/contact-builder.ts';

const cause = { at: 1_700_000_000_000 };
const transactional = { kind: 'transactional' } as const;
const bulk = { kind: 'bulk' } as const;

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
