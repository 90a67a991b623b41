import { describe, expect, it } from 'vitest';
import { getContact } from '#shared/contacts/contact-store';
import { getTimeline } from '#shared/send-history/timeline-store';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { itemsOf } from '../../support/organization-items.ts';
import { openOwnTable } from '../../support/own-database.ts';
import { erasedAt } from '../../support/recipient-builder.ts';
import { erasedContact, knowAnn } from './known-person.ts';

// Read whole, time and again: it holds nothing of other files.
const table = await openOwnTable();
const readItems = (organizationId: OrganizationId) => itemsOf(table, organizationId);
const prepare = () => knowAnn({ table, readItems });

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
