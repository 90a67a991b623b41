import { expect, it } from 'vitest';
import { openContactStore } from '#shared/contacts/contact-store';
import { openSettlementStore } from '#shared/sending/settlement-store';
import { claimSend } from '../../support/claim-builder.ts';
import { Death, dyingTable, interceptWrites } from '../../support/disturbed-table.ts';
import type { WholeTable } from '../../support/organization-items.ts';
import { ann, buildAcceptance, buildEmail, erasedAt } from '../../support/recipient-builder.ts';
import { erasedContact, knowAnn } from './known-person.ts';

/** Tests an erasure that is interrupted before each of these of its writes. */
export function testInterruptedErasures(
  openWholeTable: () => WholeTable,
  writes: readonly number[],
): void {
  const prepare = async () => {
    const opened = openWholeTable();
    return { ...opened, ...(await knowAnn(opened)) };
  };

  it.each(writes)(
    'an erasure that is repeated goes on where the process died: before write %d',
    async (death) => {
      const { table, open, erase, contactId, keysHoldingAnn, findSends } = await prepare();

      await expect(erase(dyingTable(death, open))).rejects.toThrow(Death);
      const left = await keysHoldingAnn();
      const found = await findSends();
      await erase();

      expect(left.length + found.length).toBeGreaterThan(0);
      expect(await keysHoldingAnn()).toEqual([]);
      expect(await findSends()).toEqual([]);
      expect(await openContactStore(table).get(contactId)).toEqual(erasedContact(contactId));
    },
  );

  it.each(writes)(
    'an email that is sent to the person meanwhile is a new one, which makes the address known, until the next erasure: at write %d',
    async (moment) => {
      const world = await prepare();
      const { table, open, erase, organizationId, contactId, keysHoldingAnn, findSends } = world;
      const send = buildEmail(organizationId, { createdAt: erasedAt, claimedAt: erasedAt });
      const during = interceptWrites(async (write) => {
        if (write !== moment) return;
        await claimSend(table, send);
        await openSettlementStore(table).commitAcceptance(send, buildAcceptance(), []);
        await openContactStore(table).ensure(organizationId, ann, erasedAt);
      }, open);

      await erase(during);
      const known = await keysHoldingAnn();
      const found = await findSends();
      await erase();

      expect(known).toContainEqual(expect.stringMatching(/ SEND$/));
      expect(found).toHaveLength(1);
      expect(await keysHoldingAnn()).toEqual([]);
      expect(await findSends()).toEqual([]);
      expect(await openContactStore(table).get(contactId)).toEqual(erasedContact(contactId));
    },
  );
}
