import { describe, expect, it } from 'vitest';
import { suppressionReasons } from '#shared/contacts/contact';
import {
  ensureContact,
  findContactIds,
  getContact,
  savePreferences,
  suppressContact,
  unsubscribeContact,
} from '#shared/contacts/contact-store';
import { contactIdOf, newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import { getDelivery } from '#shared/webhooks/delivery-store';
import { buildDeliveries } from '../../support/delivery-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

type ContactRef = { readonly organizationId: OrganizationId; readonly identity: string };

const refOfNew = (identity = 'ann@example.com'): ContactRef => ({
  organizationId: newOrganizationId(),
  identity,
});

const idOf = ({ organizationId, identity }: ContactRef) => contactIdOf(organizationId, identity);

const read = (contact: ContactRef) => getContact(table, idOf(contact));

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

describe('unsubscribeContact', () => {
  const unsubscribe = (contact: ContactRef, now: number) => {
    const deliveries = buildDeliveries(idOf(contact), `${now}`);
    const run = () => unsubscribeContact(table, contact, deliveries, now);
    return { run, deliveries };
  };

  it('suppresses the address and stores the deliveries that tell of it', async () => {
    const contact = refOfNew();
    const { run, deliveries } = unsubscribe(contact, 1_000);

    expect(await run()).toBe(true);
    expect(await read(contact)).toMatchObject({ unsubscribe: { at: 1_000 }, createdAt: 1_000 });
    expect(await Promise.all(deliveries.map(({ id }) => getDelivery(table, id)))).toEqual(
      deliveries,
    );
  });

  it('changes nothing and tells nobody when the address is unsubscribed already', async () => {
    const contact = refOfNew();
    await unsubscribe(contact, 1_000).run();
    const { run, deliveries } = unsubscribe(contact, 2_000);

    expect(await run()).toBe(false);
    expect(await read(contact)).toMatchObject({ unsubscribe: { at: 1_000 } });
    expect(await Promise.all(deliveries.map(({ id }) => getDelivery(table, id)))).toEqual([
      undefined,
    ]);
  });

  it('keeps other suppressions and the choice of categories', async () => {
    const contact = refOfNew();
    await suppressContact(table, contact, 'bounce', 1_000);

    await unsubscribe(contact, 2_000).run();

    expect(await read(contact)).toMatchObject({
      bounce: { at: 1_000 },
      unsubscribe: { at: 2_000 },
    });
  });

  it('tells of one of many requests at once', async () => {
    const contact = refOfNew();

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => unsubscribe(contact, index + 1).run()),
    );

    expect(answers.filter(Boolean)).toHaveLength(1);
  });
});

describe('findContactIds', () => {
  it('finds the contact of an address in every organization that knows it', async () => {
    const identity = `${newOrganizationId()}@example.com`;
    const contacts = [refOfNew(identity), refOfNew(identity)];
    for (const contact of contacts) await ensureContact(table, contact, 1_000);
    await ensureContact(table, refOfNew(`x${identity}`), 1_000);

    const ids = await findContactIds(table, identity);

    expect(ids.toSorted()).toEqual(contacts.map(idOf).toSorted());
  });

  it('finds a contact that a suppression made', async () => {
    const contact = refOfNew(`${newOrganizationId()}@example.com`);
    await suppressContact(table, contact, 'bounce', 1_000);

    expect(await findContactIds(table, contact.identity)).toEqual([idOf(contact)]);
  });

  it('finds nothing of an address that nobody knows', async () => {
    expect(await findContactIds(table, `${newOrganizationId()}@example.com`)).toEqual([]);
  });
});

describe('savePreferences', () => {
  const save = (contact: ContactRef, subscriptions: Record<string, boolean>, lifts = false) =>
    savePreferences(table, idOf(contact), { subscriptions, liftsUnsubscribe: lifts }, [], 5_000);

  it('writes the categories that are given and leaves the others', async () => {
    const contact = refOfNew();
    await ensureContact(table, contact, 1_000);

    await save(contact, { news: false, offers: true });
    await save(contact, { offers: false });

    expect(await read(contact)).toMatchObject({
      subscriptions: { news: false, offers: false },
      updatedAt: 5_000,
    });
  });

  it('loses none of several changes at once', async () => {
    const contact = refOfNew();
    await ensureContact(table, contact, 1_000);
    const keys = Array.from({ length: 20 }, (_, index) => `category-${index}`);

    await Promise.all(keys.map((key) => save(contact, { [key]: false })));

    const stored = await read(contact);
    expect(Object.keys(stored?.subscriptions ?? {}).toSorted()).toEqual(keys.toSorted());
  });

  it('lifts the unsubscription when told, and no other suppression', async () => {
    const contact = refOfNew();
    for (const reason of suppressionReasons) await suppressContact(table, contact, reason, 1_000);

    await save(contact, { news: true }, true);

    const stored = await read(contact);
    expect(stored).not.toHaveProperty('unsubscribe');
    expect(stored).toMatchObject({ bounce: { at: 1_000 }, complaint: { at: 1_000 } });
  });

  it('keeps the unsubscription when not told to lift it', async () => {
    const contact = refOfNew();
    await suppressContact(table, contact, 'unsubscribe', 1_000);

    await save(contact, { news: true });

    expect(await read(contact)).toMatchObject({ unsubscribe: { at: 1_000 } });
  });

  it('lifts the unsubscription though no category is given', async () => {
    const contact = refOfNew();
    await suppressContact(table, contact, 'unsubscribe', 1_000);

    await save(contact, {}, true);

    expect(await read(contact)).not.toHaveProperty('unsubscribe');
  });

  it('takes any key for a category', async () => {
    const contact = refOfNew();
    await ensureContact(table, contact, 1_000);
    const subscriptions = { 'a.b': false, '#name': false, 'with space': true, size: false };

    await save(contact, subscriptions);

    expect(await read(contact)).toMatchObject({ subscriptions });
  });

  it('stores the deliveries that tell of it', async () => {
    const contact = refOfNew();
    await ensureContact(table, contact, 1_000);
    const update = { subscriptions: { news: false }, liftsUnsubscribe: false };
    const deliveries = buildDeliveries(idOf(contact));

    await savePreferences(table, idOf(contact), update, deliveries, 5_000);

    expect(await Promise.all(deliveries.map(({ id }) => getDelivery(table, id)))).toEqual(
      deliveries,
    );
  });

  it('makes no contact of what is none', async () => {
    const contact = refOfNew();

    await expect(save(contact, { news: false })).rejects.toThrow();
    await expect(save(contact, {}, true)).rejects.toThrow();
    expect(await read(contact)).toBeUndefined();
  });
});
