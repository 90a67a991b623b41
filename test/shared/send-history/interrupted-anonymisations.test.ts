import { describe, expect, it } from 'vitest';
import { getTimeline } from '#shared/send-history/timeline-store';
import { newOrganizationId, type OrganizationId, slotIdIn } from '#shared/tokens/resource-id';
import { Death, dyingTable, interceptWrites } from '../../support/disturbed-table.ts';
import { keysOfThoseHolding, wholeTableInMemory } from '../../support/organization-items.ts';
import { ann, erasedAt, storeEmail } from '../../support/recipient-builder.ts';
import { openAnonymisation, slotsOf, withoutAnn, writesOfAnonymisation } from './anonymisation.ts';

const ben = 'ben@example.org';

function prepare() {
  const { table, open, readItems } = wholeTableInMemory();
  const keysHoldingAnn = async (organizationId: OrganizationId) =>
    keysOfThoseHolding(await readItems(organizationId), ann);
  return { table, open, readItems, keysHoldingAnn, ...openAnonymisation(table) };
}

describe('anonymising a send', () => {
  const writes = Array.from({ length: writesOfAnonymisation }, (_, index) => index + 1);

  it.each(writes)(
    'is continued by a repetition when the process died before its write %d',
    async (death) => {
      const { table, open, anonymise, find, keysHoldingAnn } = prepare();
      const organizationId = newOrganizationId();
      const send = await storeEmail(table, organizationId);
      const before = await getTimeline(table, send.id, erasedAt);

      const dying = anonymise(send, {}, erasedAt, dyingTable(death, open));
      await expect(dying).rejects.toThrow(Death);
      const stillFound = await find(organizationId);
      const outcome = await anonymise(send);

      expect(slotsOf(stillFound)).toEqual([slotIdIn(send.id)]);
      expect(outcome).toEqual({ kind: 'anonymised' });
      expect(await keysHoldingAnn(organizationId)).toEqual([]);
      expect(await getTimeline(table, send.id, erasedAt)).toEqual(withoutAnn(before));
      expect(await find(organizationId)).toEqual([]);
    },
  );

  it.each(writes)(
    'leaves no address in an event that arrives during it, before write %d',
    async (write) => {
      const { table, open, anonymise, newOrganization, reportDelivery, keysHoldingAnn } = prepare();
      const organizationId = await newOrganization();
      const send = await storeEmail(table, organizationId);
      const intercepted = interceptWrites(async (number) => {
        if (number === write) await reportDelivery(send);
      }, open);

      await anonymise(send, {}, erasedAt, intercepted);

      const timeline = await getTimeline(table, send.id, erasedAt);
      expect(timeline?.deliveries).toHaveLength(3 + 2);
      expect(await keysHoldingAnn(organizationId)).toEqual([]);
    },
  );

  it.each(writes)(
    'lets the row expire when only one of two concurrent calls wants that, and the other ends before write %d',
    async (write) => {
      const { table, open, anonymise, keysHoldingAnn } = prepare();
      const organizationId = newOrganizationId();
      const send = await storeEmail(table, organizationId);
      const intercepted = interceptWrites(async (number) => {
        if (number === write) await anonymise(send, { expires: false });
      }, open);

      const outcome = await anonymise(send, { expires: true }, erasedAt, intercepted);

      expect(outcome).toEqual({ kind: 'anonymised' });
      expect(await getTimeline(table, send.id, erasedAt)).toBeUndefined();
      expect(await keysHoldingAnn(organizationId)).toEqual([]);
    },
  );

  it.each(writes)(
    'leaves neither of two people who are erased at once, when the other call ends before write %d',
    async (write) => {
      const { table, open, readItems, anonymise } = prepare();
      const organizationId = newOrganizationId();
      const texts = { subject: `${ann} meets ${ben}`, metadata: { guests: [ann, ben] } };
      const send = await storeEmail(table, organizationId, texts);
      const intercepted = interceptWrites(async (number) => {
        if (number === write) await anonymise(send, { identity: ben });
      }, open);

      const outcome = await anonymise(send, {}, erasedAt, intercepted);

      expect(outcome).toEqual({ kind: 'anonymised' });
      const left = await readItems(organizationId);
      expect([ann, ben].flatMap((address) => keysOfThoseHolding(left, address))).toEqual([]);
    },
  );
});
