import { describe, expect, it } from 'vitest';
import { openContactStore } from '#shared/contacts/contact-store';

import { openSettlementStore } from '#shared/sending/settlement-store';
import { openTimelineStore } from '#shared/sends/timeline-store';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { eraseContact } from '../../../functions/erase-contact/erase-contact.ts';
import { claimSend } from '../../support/claim-builder.ts';
import { dyingTable } from '../../support/disturbed-table.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { itemsOf } from '../../support/organization-items.ts';
import { openOwnTable } from '../../support/own-database.ts';
import { buildAcceptance, buildEmail, erasedAt } from '../../support/recipient-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { testInterruptedErasures } from './interrupted-erasures.ts';
import {
  erasedContact,
  knowAnn,
  requestToErase,
  storesOn,
  writesOfErasure,
} from './known-person.ts';

// Read whole, time and again: it holds nothing of other files.
const table = await openOwnTable();
const contactStore = openContactStore(table);
const timelineStore = openTimelineStore(table);

const readItems = (organizationId: OrganizationId) => itemsOf(table, organizationId);
const prepare = () => knowAnn({ table, readItems });

describe('a person who was erased', () => {
  it.each([{}, { sends: 'true' } as const])(
    'is named by nothing that the organization stores: %o',
    async (query) => {
      const { erase, contactId, keysHoldingAnn, findSends } = await prepare();
      const before = await keysHoldingAnn();

      await erase(table, query);

      expect(before).toHaveLength(4 + 6 + 1 + 2);
      expect(await keysHoldingAnn()).toEqual([]);
      expect(await findSends()).toEqual([]);
      expect(await contactStore.get(contactId)).toEqual(erasedContact(contactId));
    },
  );

  it('may be erased again', async () => {
    const { erase, keysHoldingAnn } = await prepare();
    await erase();

    await expect(erase()).resolves.toBe(undefined);

    expect(await keysHoldingAnn()).toEqual([]);
  });

  it('may be one whom the organization never knew: then only the mark and an entry of the audit are stored', async () => {
    const manager = buildManager();

    await eraseContact(requestToErase(manager), { now: manager.now, ...storesOn(table) });

    const items = await itemsOf(table, manager.organizationId);
    expect(items).toHaveLength(2);
    expect(items).toContainEqual(expect.objectContaining({ erasedAt: manager.now() }));
    expect(items).toContainEqual(expect.objectContaining({ action: 'contact.erased' }));
    expect(JSON.stringify(items)).not.toContain('ann@');
  });

  it('may be known to another organization', async () => {
    const { erase } = await prepare();
    const other = await prepare();
    const before = await other.keysHoldingAnn();

    await erase();

    expect(await other.keysHoldingAnn()).toEqual(before);
    expect(await other.findSends()).toHaveLength(4);
  });
});

// Each write of it is interrupted on the table in memory: `interrupted-erasures.test.ts`.
testInterruptedErasures(() => ({ table, readItems }), [1, writesOfErasure]);

describe('an erasure that is repeated', () => {
  it('takes no more writes than that', async () => {
    const { erase } = await prepare();

    await expect(erase(dyingTable(writesOfErasure + 1))).resolves.toBe(undefined);
  });

  it('comes to the same when it runs twice at once', async () => {
    const { erase, contactId, sent, keysHoldingAnn, findSends } = await prepare();

    await Promise.all([erase(table, { sends: 'true' }), erase(table, { sends: 'true' })]);

    expect(await keysHoldingAnn()).toEqual([]);
    expect(await findSends()).toEqual([]);
    expect(await contactStore.get(contactId)).toEqual(erasedContact(contactId));
    expect(await timelineStore.read(sent.id, erasedAt)).toBeUndefined();
  });
});

describe('an email that is being sent to the person meanwhile', () => {
  it('is waited for', async () => {
    const { erase, organizationId, contactId, keysHoldingAnn } = await prepare();
    const send = buildEmail(organizationId, { createdAt: erasedAt, claimedAt: erasedAt });
    const claim = { ...send, leaseExpiresAt: erasedAt + 300_000 };
    await claimSend(table, claim);

    const error = await serviceErrorOf(() => erase(table, { sends: 'true' }, erasedAt + 1_000));
    const contact = await contactStore.get(contactId);
    await openSettlementStore(table).commitAcceptance(claim, buildAcceptance(), []);
    await erase(table, { sends: 'true' }, erasedAt + 2_000);

    expect(error).toMatchObject({ code: 'erasure_unfinished', retryAfterSeconds: 299 });
    expect(contact?.email).toBeUndefined();
    expect(await keysHoldingAnn()).toEqual([]);
    expect(await timelineStore.read(send.id, erasedAt + 2_000)).toBeUndefined();
  });
});
