import { describe, expect, it } from 'vitest';
import { ensureContact, getContact } from '#shared/contacts/contact-store';
import { getTimeline } from '#shared/send-history/timeline-store';
import { commitAcceptance } from '#shared/sending/send-store';
import { endpoint as eraseContact } from '../../../functions/erase-contact/erase-contact.ts';
import { claimSend } from '../../support/claim-builder.ts';
import { Death, dyingTable, interceptWrites } from '../../support/disturbed-table.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { wholeTableInMemory } from '../../support/organization-items.ts';
import { ann, buildAcceptance, buildEmail, erasedAt } from '../../support/recipient-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';
import {
  erasedContact,
  knowAnn,
  requestToErase,
  storesOn,
  writesOfErasure,
} from './known-person.ts';

async function prepare() {
  const opened = wholeTableInMemory();
  return { ...opened, ...(await knowAnn(opened)) };
}

describe('an erased person', () => {
  it('can be erased again', async () => {
    const { erase, keysHoldingAnn } = await prepare();
    await erase();

    await expect(erase()).resolves.toBe(undefined);

    expect(await keysHoldingAnn()).toEqual([]);
  });

  it("can be unknown to the organization: then only the mark, an audit entry and the day's count are stored", async () => {
    const { table, readItems } = wholeTableInMemory();
    const manager = buildManager();

    await eraseContact.run(
      { ...surroundings, ...requestToErase(manager) },
      { now: manager.now, ...storesOn(table) },
    );

    const items = await readItems(manager.organizationId);
    expect(items).toHaveLength(3);
    expect(items).toContainEqual(expect.objectContaining({ erasedAt: manager.now() }));
    expect(items).toContainEqual(expect.objectContaining({ action: 'contact.erased' }));
    expect(items).toContainEqual(expect.objectContaining({ used: 1 }));
    expect(JSON.stringify(items)).not.toContain('ann@');
  });
});

describe('an erasure', () => {
  it('makes no more writes than the ones it is interrupted at here', async () => {
    const { open, erase } = await prepare();

    await expect(erase(dyingTable(writesOfErasure + 1, open))).resolves.toBe(undefined);
  });

  const writes = Array.from({ length: writesOfErasure }, (_, index) => index + 1);

  it.each(writes)(
    'that is repeated continues where the process died: before write %d',
    async (death) => {
      const { table, open, erase, contactId, keysHoldingAnn, findSends } = await prepare();

      await expect(erase(dyingTable(death, open))).rejects.toThrow(Death);
      const left = await keysHoldingAnn();
      const found = await findSends();
      await erase();

      expect(left.length + found.length).toBeGreaterThan(0);
      expect(await keysHoldingAnn()).toEqual([]);
      expect(await findSends()).toEqual([]);
      expect(await getContact(table, contactId)).toEqual(erasedContact(contactId));
    },
  );

  it.each(writes)(
    'that is repeated erases an email sent in between, which made the address known again: at write %d',
    async (moment) => {
      const world = await prepare();
      const { table, open, erase, organizationId, contactId, keysHoldingAnn, findSends } = world;
      const send = buildEmail(organizationId, { createdAt: erasedAt, claimedAt: erasedAt });
      const during = interceptWrites(async (write) => {
        if (write !== moment) return;
        await claimSend(table, send);
        await commitAcceptance(table, send, buildAcceptance(), []);
        await ensureContact(table, organizationId, ann, erasedAt);
      }, open);

      await erase(during);
      const known = await keysHoldingAnn();
      const found = await findSends();
      await erase();

      expect(known).toContainEqual(expect.stringMatching(/ SEND$/));
      expect(found).toHaveLength(1);
      expect(await keysHoldingAnn()).toEqual([]);
      expect(await findSends()).toEqual([]);
      expect(await getContact(table, contactId)).toEqual(erasedContact(contactId));
    },
  );
});

describe('an email being sent to the person at that moment', () => {
  it('is waited for', async () => {
    const world = await prepare();
    const { table, erase, organizationId, contactId, keysHoldingAnn } = world;
    const send = buildEmail(organizationId, { createdAt: erasedAt, claimedAt: erasedAt });
    const claim = { ...send, leaseExpiresAt: erasedAt + 300_000 };
    await claimSend(table, claim);

    const error = await serviceErrorOf(() => erase(table, { sends: 'true' }, erasedAt + 1_000));
    const contact = await getContact(table, contactId);
    await commitAcceptance(table, claim, buildAcceptance(), []);
    await erase(table, { sends: 'true' }, erasedAt + 2_000);

    expect(error).toMatchObject({ code: 'erasure_unfinished', retryAfterSeconds: 299 });
    expect(contact?.email).toBeUndefined();
    expect(await keysHoldingAnn()).toEqual([]);
    expect(await getTimeline(table, send.id, erasedAt + 2_000)).toBeUndefined();
  });
});
