import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { getContact } from '#shared/contacts/contact-store';
import { getTimeline } from '#shared/send-history/timeline-store';
import { readListEntries } from '#shared/table/list-reader';
import { sendListPartition, sendListShards } from '#shared/table/send-keys';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { itemsOf } from '../../support/organization-items.ts';
import { openOwnTable } from '../../support/own-database.ts';
import { ann, erasedAt } from '../../support/recipient-builder.ts';
import { erasedContact, knowAnn } from './known-person.ts';

// Read whole, time and again: it holds nothing of other files.
const table = await openOwnTable();
const readItems = (organizationId: OrganizationId) => itemsOf(table, organizationId);
const prepare = () => knowAnn({ table, readItems });

/** The list's index, as JSON. */
async function readEntries(organizationId: OrganizationId): Promise<string[]> {
  const partitions = Array.from({ length: sendListShards }, (_, shard) =>
    sendListPartition(organizationId, shard),
  );
  const list = { index: 'gsi2', partitions, positionSchema: z.string() } as const;
  const entries = await readListEntries(table, list, { before: undefined, limit: 100 });
  return entries.map(({ item }) => JSON.stringify(item));
}

describe('an erased person', () => {
  it.each([{}, { sends: 'true' } as const])(
    "isn't named in anything that the organization stores: %o",
    async (query) => {
      const { erase, contactId, keysHoldingAnn, findSends } = await prepare();
      const before = await keysHoldingAnn();

      await erase(table, query);

      expect(before).toHaveLength(4 + 6 + 1 + 2);
      expect(await keysHoldingAnn()).toEqual([]);
      expect(await findSends()).toEqual([]);
      expect(await getContact(table, contactId)).toEqual(erasedContact(contactId));
    },
  );

  it('is in no entry of the list of emails, which has recipients and subjects', async () => {
    const { erase, organizationId } = await prepare();
    const before = await readEntries(organizationId);

    await erase();

    const after = await readEntries(organizationId);
    expect(before.filter((entry) => entry.includes(ann))).toHaveLength(4);
    expect(after).toHaveLength(4);
    expect(after.filter((entry) => entry.includes(ann))).toEqual([]);
  });

  it('may still be known to another organization', async () => {
    const { erase } = await prepare();
    const other = await prepare();
    const before = await other.keysHoldingAnn();

    await erase();

    expect(await other.keysHoldingAnn()).toEqual(before);
    expect(await other.findSends()).toHaveLength(4);
  });
});

describe('an erasure', () => {
  it('has the same result when it runs twice at once', async () => {
    const { erase, contactId, sent, keysHoldingAnn, findSends } = await prepare();

    await Promise.all([erase(table, { sends: 'true' }), erase(table, { sends: 'true' })]);

    expect(await keysHoldingAnn()).toEqual([]);
    expect(await findSends()).toEqual([]);
    expect(await getContact(table, contactId)).toEqual(erasedContact(contactId));
    expect(await getTimeline(table, sent.id, erasedAt)).toBeUndefined();
  });
});
