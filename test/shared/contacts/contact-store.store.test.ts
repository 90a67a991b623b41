import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { suppressionReasons } from '#shared/contacts/contact';
import { ensureContact, suppressContact, toContact } from '#shared/contacts/contact-store';
import { contactKey } from '#shared/table/keys';
import { contactIdOf, newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

type ContactRef = { readonly organizationId: OrganizationId; readonly identity: string };

const refOfNew = (identity = 'ann@example.com'): ContactRef => ({
  organizationId: newOrganizationId(),
  identity,
});

async function read({ organizationId, identity }: ContactRef) {
  const Key = contactKey(contactIdOf(organizationId, identity));
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key, ConsistentRead: true }),
  );
  return Item && toContact(Item);
}

describe('ensureContact', () => {
  it('creates the contact, subscribed to everything', async () => {
    const contact = refOfNew();

    await ensureContact(table, contact, 1_000);

    expect(await read(contact)).toEqual({
      id: contactIdOf(contact.organizationId, contact.identity),
      email: 'ann@example.com',
      subscriptions: {},
      createdAt: 1_000,
      updatedAt: 1_000,
    });
  });

  it('keeps a contact that is there', async () => {
    const contact = refOfNew();
    await ensureContact(table, contact, 1_000);
    await suppressContact(table, contact, 'complaint', 2_000);

    await ensureContact(table, contact, 3_000);

    expect(await read(contact)).toMatchObject({ createdAt: 1_000, complaint: { at: 2_000 } });
  });

  it('makes a contact of its own in each organization', async () => {
    const [here, there] = [refOfNew(), refOfNew()];

    await ensureContact(table, here, 1_000);

    expect(await read(there)).toBeUndefined();
  });
});

describe('suppressContact', () => {
  it('creates a contact that is not there', async () => {
    const contact = refOfNew();

    await suppressContact(table, contact, 'bounce', 1_000);

    expect(await read(contact)).toEqual({
      id: contactIdOf(contact.organizationId, contact.identity),
      email: 'ann@example.com',
      subscriptions: {},
      bounce: { at: 1_000 },
      createdAt: 1_000,
      updatedAt: 1_000,
    });
  });

  it.each(suppressionReasons)('keeps the first cause of %s', async (reason) => {
    const contact = refOfNew();
    await suppressContact(table, contact, reason, 1_000);

    await suppressContact(table, contact, reason, 2_000);

    expect(await read(contact)).toMatchObject({ [reason]: { at: 1_000 } });
  });

  it('keeps every reason beside the others', async () => {
    const contact = refOfNew();

    for (const reason of suppressionReasons) await suppressContact(table, contact, reason, 1_000);

    expect(await read(contact)).toMatchObject({
      bounce: { at: 1_000 },
      complaint: { at: 1_000 },
      manual: { at: 1_000 },
      unsubscribe: { at: 1_000 },
    });
  });

  it('leads to the same contact in any order and at once', async () => {
    const contacts = [refOfNew(), refOfNew(), refOfNew()];
    const writes = [
      (contact: ContactRef) => ensureContact(table, contact, 1_000),
      (contact: ContactRef) => suppressContact(table, contact, 'bounce', 1_000),
      (contact: ContactRef) => suppressContact(table, contact, 'complaint', 1_000),
    ];
    const [forward, backward, atOnce] = contacts;

    for (const write of writes) if (forward) await write(forward);
    for (const write of writes.toReversed()) if (backward) await write(backward);
    await Promise.all(writes.map((write) => atOnce && write(atOnce)));

    const stored = await Promise.all(contacts.map(read));
    for (const contact of stored) {
      expect(contact).toEqual({ ...stored[0], id: contact?.id });
      expect(contact).toMatchObject({ bounce: { at: 1_000 }, complaint: { at: 1_000 } });
    }
  });
});
