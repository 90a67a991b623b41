import { describe, expect, it } from 'vitest';
import { ensureContact } from '#shared/contacts/contact-store';
import { anonymiseContactRows } from '#shared/contacts/row-erasure-store';
import { deliveriesOfContact } from '#shared/table/delivery-keys';
import { queryAll } from '#shared/table/reads';
import { contactIdOf, newOrganizationId, newWebhookId } from '#shared/tokens/resource-id';
import { createDeliveries, toDelivery } from '#shared/webhook-deliveries/delivery-store';
import { deliveriesOf } from '#shared/webhook-deliveries/outbox';
import { claimNow } from '../../support/claim-builder.ts';
import { farExpiry } from '../../support/delivery-builder.ts';
import { dyingTable } from '../../support/disturbed-table.ts';
import { keysHolding } from '../../support/organization-items.ts';
import { openOwnTable } from '../../support/own-database.ts';
import { ann } from '../../support/recipient-builder.ts';

// Read whole, time and again: it holds nothing of other files.
const table = await openOwnTable();

/** A contact that changed its mind so many times, each reported to one endpoint. */
async function storeContact(changes: number) {
  const organizationId = newOrganizationId();
  const contactId = contactIdOf(organizationId, ann);
  await ensureContact(table, organizationId, ann, claimNow);
  const endpoints = { [newWebhookId(organizationId)]: { eventTypes: [] } };
  for (let change = 0; change < changes; change += 1) {
    const type = 'contact.preferences_updated';
    const data = { contactId, email: 'Ann@example.com', change };
    const event = { type, key: `${change}`, at: claimNow, data } as const;
    const owner = { parent: contactId, expiresAt: farExpiry };
    await createDeliveries(table, deliveriesOf(event, owner, endpoints, claimNow));
  }
  return { organizationId, contactId };
}

const deliveriesIn = async (contactId: Parameters<typeof deliveriesOfContact>[0]) =>
  (await queryAll(table, deliveriesOfContact(contactId))).map(toDelivery);

describe('the webhook deliveries of a contact', () => {
  it('lose only the address', async () => {
    const { contactId } = await storeContact(20);
    const before = await deliveriesIn(contactId);

    await anonymiseContactRows(table, contactId, ann);

    const withoutAnn = before.map((delivery) => ({
      ...delivery,
      body: delivery.body.replace('Ann@example.com', 'erased'),
    }));
    expect(withoutAnn).not.toEqual(before);
    expect(await deliveriesIn(contactId)).toEqual(withoutAnn);
  });

  it('are changed without the contact itself', async () => {
    const { organizationId, contactId } = await storeContact(1);

    await anonymiseContactRows(table, contactId, ann);

    expect(await keysHolding(table, organizationId, ann)).toEqual([
      expect.stringMatching(/ CONTACT$/),
    ]);
  });

  it('are not written again once the address is gone', async () => {
    const { contactId } = await storeContact(3);
    await anonymiseContactRows(table, contactId, ann);

    const again = anonymiseContactRows(dyingTable(1), contactId, ann);

    await expect(again).resolves.toBe(undefined);
  });
});
