import { describe, expect, it } from 'vitest';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { listAuditEntries } from '#shared/audit/audit-store';
import { suppressionReasons } from '#shared/contacts/contact';
import { eraseContact, getContact } from '#shared/contacts/contact-store';
import { anonymiseContactRows } from '#shared/contacts/row-erasure-store';
import {
  getSuppressedContact,
  readSuppressions,
} from '#shared/suppressions/suppression-list-store';
import { removeSuppressions, suppressAddress } from '#shared/suppressions/suppression-store';
import { suppressionListIndexKey } from '#shared/table/keys';
import { contactIdOf, newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import { farExpiry } from '../../support/delivery-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { listSuppressions, suppressAnn } from '../../support/suppression-account.ts';

const table = openStoreTable();
const noWebhooks = { subscriptions: {}, expiresAt: farExpiry };
const ann = 'ann@example.com';
const details = { diagnostic: `550 5.1.1 no ${ann} here`, address: 'Ann@example.com' };

const list = (organizationId: OrganizationId, selection: object = {}) =>
  listSuppressions(table, organizationId, selection);

const lift = async (organizationId: OrganizationId, now = 9_000) => {
  const id = contactIdOf(organizationId, ann);
  const change = { action: 'suppression.lifted', target: id };
  const entry = newAuditEntry(organizationId, 'operator', change, now);
  const lifted = [{ reason: 'bounce', at: now }] as const;
  const removed = await removeSuppressions(table, { id }, lifted, now, {
    entry,
    deliverySettings: noWebhooks,
  });
  return removed !== undefined;
};

const auditOf = async (organizationId: OrganizationId) =>
  (await listAuditEntries(table, organizationId, { before: undefined, limit: 10 }, 9_000)).entries;

describe('the list of suppressions', () => {
  it('has an entry for each reason of an address, newest first, with its cause', async () => {
    const organizationId = newOrganizationId();
    await suppressAnn(table, organizationId, 'bounce', 1_000, details);
    await suppressAnn(table, organizationId, 'unsubscribe', 3_000);
    const ben = { identity: 'ben@example.org', reason: 'bounce', details: { at: 500 } } as const;
    await suppressAddress(table, organizationId, ben, 2_000);
    await suppressAnn(table, newOrganizationId(), 'bounce', 1_000);

    const all = await list(organizationId);

    expect(all).toMatchObject([
      { email: ann, reason: 'unsubscribe', at: 3_000 },
      { email: ann, reason: 'bounce', at: 1_000, ...details },
      { email: 'ben@example.org', reason: 'bounce', at: 500 },
    ]);
    expect(await list(organizationId, { reason: 'bounce', since: 501 })).toMatchObject([
      { at: 1_000 },
    ]);
  });

  it('is spread over partitions, and read as one', async () => {
    const organizationId = newOrganizationId();
    const identities = Array.from({ length: 30 }, (_, index) => `p${index}@example.com`);
    for (const [index, identity] of identities.entries()) {
      await suppressAddress(table, organizationId, { identity, reason: 'bounce' }, index);
    }
    const listedAs = identities.map(
      (identity) =>
        suppressionListIndexKey(contactIdOf(organizationId, identity), 'bounce', 1).gsi2pk,
    );

    const found = await list(organizationId, { reason: 'bounce' });

    expect(new Set(listedAs).size).toBeGreaterThan(4);
    expect(found.map(({ email }) => email)).toEqual(identities.toReversed());
  });

  it('is read page by page, each suppression once', async () => {
    const organizationId = newOrganizationId();
    for (const reason of suppressionReasons) {
      await suppressAnn(table, organizationId, reason, 1_000);
    }

    const first = await readSuppressions(table, organizationId, { limit: 3 });
    const rest = await readSuppressions(table, organizationId, {
      limit: 3,
      before: first.next,
    });

    const reasons = [...first.found, ...rest.found].map(({ reason }) => reason);
    expect(reasons.toSorted()).toEqual([...suppressionReasons].toSorted());
    expect(rest.next).toBeUndefined();
  });

  it('keeps the first cause', async () => {
    const organizationId = newOrganizationId();
    await suppressAnn(table, organizationId, 'bounce', 1_000, details);

    const { outcome } = await suppressAnn(table, organizationId, 'bounce', 2_000, {
      diagnostic: 'later',
    });

    expect(outcome).toBe('unchanged');
    expect(await list(organizationId)).toMatchObject([{ at: 1_000, ...details }]);
  });
});

describe('a suppression that is lifted', () => {
  it('is gone from contact and list, and who did it is noted; others stay', async () => {
    const organizationId = newOrganizationId();
    await suppressAnn(table, organizationId, 'bounce', 1_000, details);
    await suppressAnn(table, organizationId, 'manual', 1_000);

    expect(await lift(organizationId)).toBe(true);

    const contact = await getContact(table, contactIdOf(organizationId, ann));
    expect(contact).toMatchObject({ manual: { at: 1_000 } });
    expect(contact).not.toHaveProperty('bounce');
    expect(await list(organizationId)).toMatchObject([{ reason: 'manual' }]);
    expect(await auditOf(organizationId)).toMatchObject([{ action: 'suppression.lifted' }]);
  });

  it('is lifted by one of two at once', async () => {
    const organizationId = newOrganizationId();
    await suppressAnn(table, organizationId, 'bounce', 1_000);

    const outcomes = await Promise.all([lift(organizationId), lift(organizationId, 8_000)]);

    expect(outcomes.toSorted()).toEqual([false, true]);
    expect(await auditOf(organizationId)).toHaveLength(1);
  });

  it('may come back with a new cause', async () => {
    const organizationId = newOrganizationId();
    await suppressAnn(table, organizationId, 'bounce', 1_000, details);
    await lift(organizationId);

    await suppressAnn(table, organizationId, 'bounce', 9_500, { diagnostic: 'again' });

    expect(await list(organizationId)).toMatchObject([{ at: 9_500, diagnostic: 'again' }]);
  });
});

describe('the suppressions of an erased person', () => {
  it('stay listed, and nothing of them names the person, also what bounces later', async () => {
    const organizationId = newOrganizationId();
    const id = contactIdOf(organizationId, ann);
    await suppressAnn(table, organizationId, 'bounce', 1_000, details);
    await eraseContact(table, id, 2_000);
    await anonymiseContactRows(table, id, ann);

    await suppressAnn(table, organizationId, 'complaint', 3_000, details);

    const found = await list(organizationId);
    expect(found).toMatchObject([{ reason: 'complaint' }, { reason: 'bounce' }]);
    expect(JSON.stringify(found)).not.toMatch(/ann@/i);
    expect((await getSuppressedContact(table, id)).contact?.email).toBeUndefined();
  });
});
