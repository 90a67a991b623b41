import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import {
  ensureContact,
  eraseContact,
  findContactIds,
  getContact,
  storePreferences,
} from '#shared/contacts/contact-store';
import { type SuppressionReason, suppressionReasons } from '#shared/contacts/suppression';
import { suppressContact, unsubscribeContact } from '#shared/contacts/suppression-store';
import { contactKey } from '#shared/table/keys';
import { contactIdOf, newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import { getDelivery } from '#shared/webhooks/delivery-store';
import { buildDeliveries } from '../../support/delivery-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

/** An address in an organization of its own. */
type Somebody = { readonly organizationId: OrganizationId; readonly identity: string };

const newSomebody = (identity = 'ann@example.com'): Somebody => ({
  organizationId: newOrganizationId(),
  identity,
});

const idOf = ({ organizationId, identity }: Somebody) => contactIdOf(organizationId, identity);

const read = (contact: Somebody) => getContact(table, idOf(contact));

const ensure = ({ organizationId, identity }: Somebody, now: number) =>
  ensureContact(table, organizationId, identity, now);

const suppress = ({ organizationId, identity }: Somebody, reason: SuppressionReason, now: number) =>
  suppressContact(table, organizationId, identity, reason, now);

const erase = (contact: Somebody, now: number) => eraseContact(table, idOf(contact), now);

describe('ensureContact', () => {
  it('creates the contact, subscribed to everything', async () => {
    const contact = newSomebody();

    await ensure(contact, 1_000);

    expect(await read(contact)).toEqual({
      id: contactIdOf(contact.organizationId, contact.identity),
      email: 'ann@example.com',
      subscriptions: {},
      createdAt: 1_000,
      updatedAt: 1_000,
    });
  });

  it('keeps an existing contact', async () => {
    const contact = newSomebody();
    await ensure(contact, 1_000);
    await suppress(contact, 'complaint', 2_000);

    await ensure(contact, 3_000);

    expect(await read(contact)).toMatchObject({ createdAt: 1_000, complaint: { at: 2_000 } });
  });

  it('creates a separate contact in each organization', async () => {
    const [here, there] = [newSomebody(), newSomebody()];

    await ensure(here, 1_000);

    expect(await read(there)).toBeUndefined();
  });
});

describe('a contact that is erased', () => {
  const newAddress = () => `ann.${newOrganizationId().slice(-16)}@example.com`;

  /** Reads all that is stored of the contact, as text. */
  async function readItem(contact: Somebody): Promise<string> {
    const { Item } = await table.client.send(
      new GetCommand({
        TableName: table.name,
        Key: contactKey(idOf(contact)),
        ConsistentRead: true,
      }),
    );
    return JSON.stringify(Item);
  }

  /** Stores somebody who chose categories, bounced, and was erased. */
  async function storeErased(): Promise<Somebody> {
    const contact = newSomebody(newAddress());
    await ensure(contact, 1_000);
    const update = { subscriptions: { news: false }, liftsUnsubscribe: false };
    await storePreferences(table, idOf(contact), update, [], 2_000);
    await suppress(contact, 'bounce', 3_000);
    await erase(contact, 4_000);
    return contact;
  }

  it('keeps its suppressions, and neither its address nor its preferences', async () => {
    const contact = await storeErased();

    expect(await read(contact)).toEqual({
      id: idOf(contact),
      subscriptions: {},
      bounce: { at: 3_000 },
      erasedAt: 4_000,
      createdAt: 1_000,
      updatedAt: 4_000,
    });
    expect(await readItem(contact)).not.toMatch(/ann|news/);
  });

  it('cannot be found by its address', async () => {
    const contact = await storeErased();

    expect(await findContactIds(table, contact.identity)).toEqual([]);
  });

  it.each(suppressionReasons)('is suppressed by a later %s, and stays unknown', async (reason) => {
    const contact = await storeErased();

    await suppress(contact, reason, 5_000);

    expect(await read(contact)).toMatchObject({
      [reason]: { at: reason === 'bounce' ? 3_000 : 5_000 },
      erasedAt: 4_000,
    });
    expect(await readItem(contact)).not.toContain('ann');
    expect(await findContactIds(table, contact.identity)).toEqual([]);
  });

  it('stays unknown if it is suppressed at the same moment', async () => {
    const contact = newSomebody(newAddress());
    await ensure(contact, 1_000);

    await Promise.all([
      suppress(contact, 'bounce', 2_000),
      erase(contact, 2_000),
      suppress(contact, 'complaint', 2_000),
    ]);

    expect(await read(contact)).toMatchObject({
      bounce: { at: 2_000 },
      complaint: { at: 2_000 },
      erasedAt: 2_000,
    });
    expect(await readItem(contact)).not.toContain('ann');
  });

  it('can be unsubscribed by its id, and stays unknown', async () => {
    const contact = await storeErased();

    const wasSubscribed = await unsubscribeContact(table, { id: idOf(contact) }, [], 5_000);

    expect(wasSubscribed).toBe(true);
    expect(await read(contact)).toMatchObject({ unsubscribe: { at: 5_000 }, erasedAt: 4_000 });
    expect(await readItem(contact)).not.toContain('ann');
    expect(await findContactIds(table, contact.identity)).toEqual([]);
  });

  it('can be unsubscribed by its address, and stays unknown', async () => {
    const contact = await storeErased();
    const ref = { id: idOf(contact), email: contact.identity };

    const answers = [
      await unsubscribeContact(table, ref, [], 5_000),
      await unsubscribeContact(table, ref, [], 6_000),
    ];

    expect(answers).toEqual([true, false]);
    expect(await read(contact)).toMatchObject({ unsubscribe: { at: 5_000 }, erasedAt: 4_000 });
    expect(await readItem(contact)).not.toContain('ann');
    expect(await findContactIds(table, contact.identity)).toEqual([]);
  });

  it('becomes known again by a new send, and stays suppressed', async () => {
    const contact = await storeErased();

    await ensure(contact, 5_000);

    expect(await read(contact)).toEqual({
      id: idOf(contact),
      email: contact.identity,
      subscriptions: {},
      bounce: { at: 3_000 },
      createdAt: 1_000,
      updatedAt: 5_000,
    });
    expect(await findContactIds(table, contact.identity)).toEqual([idOf(contact)]);
  });

  it('can be erased again', async () => {
    const contact = await storeErased();

    await erase(contact, 5_000);

    expect(await read(contact)).toMatchObject({ bounce: { at: 3_000 }, erasedAt: 5_000 });
    expect(await readItem(contact)).not.toContain('ann');
  });

  it('is not created by the erasure', async () => {
    const contact = newSomebody();

    await erase(contact, 1_000);

    expect(await read(contact)).toBeUndefined();
  });
});

describe('findContactIds', () => {
  it('finds the contact of an address in every organization that knows it', async () => {
    const identity = `${newOrganizationId()}@example.com`;
    const contacts = [newSomebody(identity), newSomebody(identity)];
    for (const contact of contacts) await ensure(contact, 1_000);
    await ensure(newSomebody(`x${identity}`), 1_000);

    const ids = await findContactIds(table, identity);

    expect(ids.toSorted()).toEqual(contacts.map(idOf).toSorted());
  });

  it('finds a contact that a suppression created', async () => {
    const contact = newSomebody(`${newOrganizationId()}@example.com`);
    await suppress(contact, 'bounce', 1_000);

    expect(await findContactIds(table, contact.identity)).toEqual([idOf(contact)]);
  });

  it('finds nothing for an unknown address', async () => {
    expect(await findContactIds(table, `${newOrganizationId()}@example.com`)).toEqual([]);
  });
});

describe('storePreferences', () => {
  const save = (contact: Somebody, subscriptions: Record<string, boolean>, lifts = false) =>
    storePreferences(table, idOf(contact), { subscriptions, liftsUnsubscribe: lifts }, [], 5_000);

  it('writes the categories that are given and leaves the others', async () => {
    const contact = newSomebody();
    await ensure(contact, 1_000);

    await save(contact, { news: false, offers: true });
    await save(contact, { offers: false });

    expect(await read(contact)).toMatchObject({
      subscriptions: { news: false, offers: false },
      updatedAt: 5_000,
    });
  });

  it('loses no change of several at once', async () => {
    const contact = newSomebody();
    await ensure(contact, 1_000);
    const keys = Array.from({ length: 20 }, (_, index) => `category-${index}`);

    await Promise.all(keys.map((key) => save(contact, { [key]: false })));

    const stored = await read(contact);
    expect(Object.keys(stored?.subscriptions ?? {}).toSorted()).toEqual(keys.toSorted());
  });

  it('lifts the unsubscription when told, and no other suppression', async () => {
    const contact = newSomebody();
    for (const reason of suppressionReasons) await suppress(contact, reason, 1_000);

    await save(contact, { news: true }, true);

    const stored = await read(contact);
    expect(stored).not.toHaveProperty('unsubscribe');
    expect(stored).toMatchObject({ bounce: { at: 1_000 }, complaint: { at: 1_000 } });
  });

  it('keeps the unsubscription when not told to lift it', async () => {
    const contact = newSomebody();
    await suppress(contact, 'unsubscribe', 1_000);

    await save(contact, { news: true });

    expect(await read(contact)).toMatchObject({ unsubscribe: { at: 1_000 } });
  });

  it('lifts the unsubscription though no category is given', async () => {
    const contact = newSomebody();
    await suppress(contact, 'unsubscribe', 1_000);

    await save(contact, {}, true);

    expect(await read(contact)).not.toHaveProperty('unsubscribe');
  });

  it('accepts any text as the key of a category', async () => {
    const contact = newSomebody();
    await ensure(contact, 1_000);
    const subscriptions = { 'a.b': false, '#name': false, 'with space': true, size: false };

    await save(contact, subscriptions);

    expect(await read(contact)).toMatchObject({ subscriptions });
  });

  it('stores the deliveries that tell of it', async () => {
    const contact = newSomebody();
    await ensure(contact, 1_000);
    const update = { subscriptions: { news: false }, liftsUnsubscribe: false };
    const deliveries = buildDeliveries(idOf(contact));

    await storePreferences(table, idOf(contact), update, deliveries, 5_000);

    expect(await Promise.all(deliveries.map(({ id }) => getDelivery(table, id, 1_000)))).toEqual(
      deliveries,
    );
  });

  it('creates no contact', async () => {
    const contact = newSomebody();

    await expect(save(contact, { news: false })).rejects.toThrow();
    await expect(save(contact, {}, true)).rejects.toThrow();
    expect(await read(contact)).toBeUndefined();
  });
});
