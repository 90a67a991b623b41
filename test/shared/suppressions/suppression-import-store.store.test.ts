import { describe, expect, it } from 'vitest';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { listAuditEntries } from '#shared/audit/audit-store';
import { eraseContact, getContact } from '#shared/contacts/contact-store';
import type { NewSuppression } from '#shared/suppressions/suppression';
import {
  beginImport,
  endImport,
  storeImported,
} from '#shared/suppressions/suppression-import-store';
import { contactIdOf, newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import { loseFirstAnswer, openDisturbedTable } from '../../support/disturbed-table.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { listSuppressions, suppressAnn } from '../../support/suppression-account.ts';

const table = openStoreTable();
const ann = 'ann@example.com';
const details = { diagnostic: `550 5.1.1 no ${ann} here`, address: 'Ann@example.com' };

const list = (organizationId: OrganizationId, selection: object = {}) =>
  listSuppressions(table, organizationId, selection);

describe('an import', () => {
  const row = (identity: string, at: number) =>
    ({
      identity,
      reason: 'bounce',
      details: { at, diagnostic: 'old', address: identity },
    }) as const;

  it('stores what is not there, keeps what is, and may be repeated', async () => {
    const organizationId = newOrganizationId();
    await suppressAnn(table, organizationId, 'bounce', 1_000, details);
    const rows = [row(ann, 10), row('ben@example.org', 20), row('cleo@example.org', 30)];

    const stored = await storeImported(table, organizationId, rows, 5_000);
    const again = await storeImported(table, organizationId, rows, 6_000);

    expect([stored, again]).toEqual([2, 0]);
    expect(await list(organizationId)).toMatchObject([
      { email: ann, at: 1_000 },
      { email: 'cleo@example.org', at: 30, diagnostic: 'old' },
      { email: 'ben@example.org', at: 20 },
    ]);
  });

  it('makes a possible complaint certain, and no certain one possible', async () => {
    const organizationId = newOrganizationId();
    await suppressAnn(table, organizationId, 'complaint', 1_000, { possible: true });
    const complaint = { identity: ann, reason: 'complaint', details: { at: 10 } } as const;
    const possible = { ...complaint, details: { at: 20, possible: true } } as const;
    const importOne = (one: NewSuppression) => storeImported(table, organizationId, [one], 5_000);

    const stored = [
      await importOne(possible),
      await importOne(complaint),
      await importOne(possible),
    ];

    expect(stored).toEqual([0, 1, 0]);
    expect((await getContact(table, contactIdOf(organizationId, ann)))?.complaint).toEqual({
      at: 10,
    });
  });

  it('is noted to be of an own event when an email that was under way bounces', async () => {
    const organizationId = newOrganizationId();
    await storeImported(table, organizationId, [row(ann, 10)], 5_000);
    const event = {
      at: 20,
      diagnostic: 'new',
      address: 'ANN@example.com',
      providerMessageId: 'm-1',
    };

    const outcomes = [
      await suppressAnn(table, organizationId, 'bounce', 6_000, event),
      await suppressAnn(table, organizationId, 'bounce', 7_000, {
        ...event,
        providerMessageId: 'm-2',
      }),
    ];

    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['unchanged', 'unchanged']);
    expect(await list(organizationId)).toEqual([
      expect.objectContaining({ at: 10, diagnostic: 'old', providerMessageId: 'm-1' }),
    ]);
  });

  it('that died half-way is completed by the same rows', async () => {
    const organizationId = newOrganizationId();
    const rows = Array.from({ length: 50 }, (_, index) => row(`p${index}@example.com`, index));
    await storeImported(table, organizationId, rows.slice(0, 20), 5_000);

    const stored = await storeImported(table, organizationId, rows, 6_000);

    expect(stored).toBe(30);
    expect(await list(organizationId)).toHaveLength(50);
  });

  it('stores all of a group once when two run at once', async () => {
    const organizationId = newOrganizationId();
    const rows = Array.from({ length: 50 }, (_, index) => row(`p${index}@example.com`, index));
    const run = () => storeImported(table, organizationId, rows, 5_000);

    const [one, other] = await Promise.all([run(), run()]);

    expect((one ?? 0) + (other ?? 0)).toBe(50);
    expect(await list(organizationId)).toHaveLength(50);
  });

  it('does not bring back the address of an erased person', async () => {
    const organizationId = newOrganizationId();
    const id = contactIdOf(organizationId, ann);
    await suppressAnn(table, organizationId, 'manual', 1_000);
    await eraseContact(table, id, 2_000);

    await storeImported(table, organizationId, [row(ann, 10)], 5_000);

    expect(await getContact(table, id)).not.toHaveProperty('email');
    expect(await list(organizationId, { reason: 'bounce' })).toHaveLength(1);
  });
});

describe('the lease on imports', () => {
  const entryOf = (organizationId: OrganizationId, at: number) =>
    newAuditEntry(
      organizationId,
      'operator',
      { action: 'suppressions.imported', target: organizationId },
      at,
    );
  const begin = (organizationId: OrganizationId, at: number) =>
    beginImport(table, organizationId, entryOf(organizationId, at), at);

  it('is one for an organization, noted with the import, and free again when it is over', async () => {
    const [organizationId, other] = [newOrganizationId(), newOrganizationId()];
    const first = entryOf(organizationId, 1_000);

    const begun = await beginImport(table, organizationId, first, 1_000);
    const busy = await begin(organizationId, 2_000);
    const ofOther = await begin(other, 2_000);
    await endImport(table, organizationId, first);
    const next = await begin(organizationId, 3_000);

    expect([begun, ofOther, next]).toEqual(Array(3).fill({ kind: 'begun' }));
    expect(busy).toEqual({ kind: 'busy', until: 36_000 });
    const range = { before: undefined, limit: 10 };
    const { entries } = await listAuditEntries(table, organizationId, range, 4_000);
    expect(entries.map(({ at }) => at)).toEqual([3_000, 1_000]);
  });

  it('is taken by one of two at once', async () => {
    const organizationId = newOrganizationId();

    const both = await Promise.all([begin(organizationId, 1_000), begin(organizationId, 1_000)]);

    expect(both.map(({ kind }) => kind).toSorted()).toEqual(['begun', 'busy']);
  });

  it('is known as one’s own if the answer to its beginning was lost', async () => {
    const losing = openDisturbedTable(loseFirstAnswer('TransactWriteItems'), openStoreTable);
    const organizationId = newOrganizationId();

    const begun = await beginImport(losing, organizationId, entryOf(organizationId, 1_000), 1_000);

    expect(begun).toEqual({ kind: 'begun' });
  });

  it('of a process that died is over by time, and what it left behind ends no other import', async () => {
    const organizationId = newOrganizationId();
    const dead = entryOf(organizationId, 1_000);
    await beginImport(table, organizationId, dead, 1_000);

    const tooEarly = await begin(organizationId, 35_999);
    const next = await begin(organizationId, 36_000);
    await endImport(table, organizationId, dead);
    const stillHeld = await begin(organizationId, 36_001);

    expect([tooEarly, next, stillHeld].map(({ kind }) => kind)).toEqual(['busy', 'begun', 'busy']);
  });
});
