import { describe, expect, it } from 'vitest';
import { openContactDeliveriesStore } from '#shared/contacts/contact-deliveries-store';
import { ensureContact, getContact, openContactStore } from '#shared/contacts/contact-store';
import { claimSend } from '#shared/sending/claim-store';
import { recordFailure } from '#shared/sending/failure-store';
import { openRecipientSendsStore } from '#shared/sending/recipient-sends-store';
import { findRecipientSends } from '#shared/sending/send-list-store';
import { commitAcceptance } from '#shared/sending/settlement-store';
import { readTimeline } from '#shared/sending/timeline-store';
import type { Table } from '#shared/table/table-client';
import { contactIdOf, type OrganizationId } from '#shared/tokens/resource-id';
import { eraseContact } from '../../../functions/erase-contact/erase-contact.ts';
import { claimNow } from '../../support/claim-builder.ts';
import { Death, dyingTable, interceptWrites } from '../../support/disturbed-table.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { itemsOf, keysHolding } from '../../support/organization-items.ts';
import { openOwnTable } from '../../support/own-database.ts';
import {
  ann,
  buildAcceptance,
  buildEmail,
  erasedAt,
  storeContact,
  storeEmail,
} from '../../support/recipient-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

// Read whole, time and again: it holds nothing of other files.
const table = await openOwnTable();

const storesOn = (on: Table) => ({
  sends: openRecipientSendsStore(on),
  contacts: openContactStore(on),
  contactDeliveries: openContactDeliveriesStore(on),
});

const suppressedSend = (organizationId: OrganizationId) =>
  buildEmail(organizationId, { status: 'suppressed' });

/** An organization that knows Ann, whose address bounced, and has sent to her in every way. */
async function prepare() {
  const manager = buildManager();
  const { organizationId } = manager;
  await storeContact(table, organizationId);
  const sent = await storeEmail(table, organizationId);
  const inDoubt = buildEmail(organizationId);
  const failed = buildEmail(organizationId);
  for (const send of [inDoubt, failed, suppressedSend(organizationId)])
    await claimSend(table, send);
  await recordFailure(table, failed, 'MessageRejected', claimNow + 1_000);

  const erase = (on: Table = table, query: { readonly sends?: 'true' } = {}, now = erasedAt) =>
    eraseContact(
      { credential: manager.credential, email: ann, parse: () => query },
      { ...manager, now: () => now, ...storesOn(on) },
    );
  const contactId = contactIdOf(organizationId, ann);
  return {
    erase,
    organizationId,
    contactId,
    sent,
    keysHoldingAnn: () => keysHolding(table, organizationId, ann),
    findSends: () => findRecipientSends(table, contactId, { before: undefined, limit: 100 }),
  };
}

/** What is left of Ann's contact. */
const erasedContact = (contactId: string) => ({
  id: contactId,
  bounce: { at: claimNow },
  subscriptions: {},
  createdAt: claimNow,
  updatedAt: erasedAt,
  erasedAt,
});

/** Of the world above: 4 sends twice each, 6 rows of one of them, the contact and 2 of its deliveries. */
const writes = 4 * 2 + 6 + 1 + 2;

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
      expect(await getContact(table, contactId)).toEqual(erasedContact(contactId));
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

    await eraseContact(
      { credential: manager.credential, email: ann, parse: () => ({}) },
      { ...manager, ...storesOn(table) },
    );

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

describe('an erasure that is repeated', () => {
  it.each(Array.from({ length: writes }, (_, index) => index + 1))(
    'goes on where the process died: before write %d',
    async (death) => {
      const { erase, contactId, keysHoldingAnn, findSends } = await prepare();

      await expect(erase(dyingTable(death))).rejects.toThrow(Death);
      const left = await keysHoldingAnn();
      const found = await findSends();
      await erase();

      expect(left.length + found.length).toBeGreaterThan(0);
      expect(await keysHoldingAnn()).toEqual([]);
      expect(await findSends()).toEqual([]);
      expect(await getContact(table, contactId)).toEqual(erasedContact(contactId));
    },
  );

  it('takes no more writes than that', async () => {
    const { erase } = await prepare();

    await expect(erase(dyingTable(writes + 1))).resolves.toBe(undefined);
  });

  it('comes to the same when it runs twice at once', async () => {
    const { erase, contactId, sent, keysHoldingAnn, findSends } = await prepare();

    await Promise.all([erase(table, { sends: 'true' }), erase(table, { sends: 'true' })]);

    expect(await keysHoldingAnn()).toEqual([]);
    expect(await findSends()).toEqual([]);
    expect(await getContact(table, contactId)).toEqual(erasedContact(contactId));
    expect(await readTimeline(table, sent.id, erasedAt)).toBeUndefined();
  });
});

describe('an email that is sent to the person meanwhile', () => {
  it.each([1, 5, 9, 13, writes])(
    'is a new one, which makes the address known, until the next erasure: at write %d',
    async (moment) => {
      const { erase, organizationId, contactId, keysHoldingAnn, findSends } = await prepare();
      const send = buildEmail(organizationId, { createdAt: erasedAt, claimedAt: erasedAt });
      const during = interceptWrites(async (write) => {
        if (write !== moment) return;
        await claimSend(table, send);
        await commitAcceptance(table, send, buildAcceptance(), []);
        await ensureContact(table, organizationId, ann, erasedAt);
      });

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

  it('is waited for when it is being sent', async () => {
    const { erase, organizationId, contactId, keysHoldingAnn } = await prepare();
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
    expect(await readTimeline(table, send.id, erasedAt + 2_000)).toBeUndefined();
  });
});
