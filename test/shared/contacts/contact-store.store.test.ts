import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { type SuppressionReason, suppressionReasons } from '#shared/contacts/contact';
import {
  ensureContact,
  eraseContact,
  findContactIds,
  getContact,
  savePreferences,
  suppressContact,
  suppressKnownContact,
  unsubscribeContact,
} from '#shared/contacts/contact-store';
import { contactKey } from '#shared/table/keys';
import { contactIdOf, newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import { getDelivery } from '#shared/webhooks/delivery-store';
import { buildDeliveries } from '../../support/delivery-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

/** An address in an organization, as nobody else's. */
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

  it('keeps a contact that is there', async () => {
    const contact = newSomebody();
    await ensure(contact, 1_000);
    await suppress(contact, 'complaint', 2_000);

    await ensure(contact, 3_000);

    expect(await read(contact)).toMatchObject({ createdAt: 1_000, complaint: { at: 2_000 } });
  });

  it('makes a contact of its own in each organization', async () => {
    const [here, there] = [newSomebody(), newSomebody()];

    await ensure(here, 1_000);

    expect(await read(there)).toBeUndefined();
  });
});

describe('suppressContact', () => {
  it('creates a contact that is not there', async () => {
    const contact = newSomebody();

    await suppress(contact, 'bounce', 1_000);

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
    const contact = newSomebody();
    await suppress(contact, reason, 1_000);

    await suppress(contact, reason, 2_000);

    expect(await read(contact)).toMatchObject({ [reason]: { at: 1_000 } });
  });

  it('keeps every reason beside the others', async () => {
    const contact = newSomebody();

    for (const reason of suppressionReasons) await suppress(contact, reason, 1_000);

    expect(await read(contact)).toMatchObject({
      bounce: { at: 1_000 },
      complaint: { at: 1_000 },
      manual: { at: 1_000 },
      unsubscribe: { at: 1_000 },
    });
  });

  it('leads to the same contact in any order and at once', async () => {
    const contacts = [newSomebody(), newSomebody(), newSomebody()];
    const writes = [
      (contact: Somebody) => ensure(contact, 1_000),
      (contact: Somebody) => suppress(contact, 'bounce', 1_000),
      (contact: Somebody) => suppress(contact, 'complaint', 1_000),
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

describe('suppressKnownContact', () => {
  const suppressKnown = ({ organizationId, identity }: Somebody, now: number) =>
    suppressKnownContact(table, organizationId, identity, 'complaint', now);

  it('suppresses a contact that is there', async () => {
    const contact = newSomebody();
    await ensure(contact, 1_000);

    expect(await suppressKnown(contact, 2_000)).toBe(true);
    expect(await read(contact)).toMatchObject({
      email: 'ann@example.com',
      complaint: { at: 2_000 },
      createdAt: 1_000,
      updatedAt: 2_000,
    });
  });

  it('keeps the first cause', async () => {
    const contact = newSomebody();
    await ensure(contact, 1_000);
    await suppressKnown(contact, 2_000);

    expect(await suppressKnown(contact, 3_000)).toBe(true);
    expect(await read(contact)).toMatchObject({ complaint: { at: 2_000 } });
  });

  it('makes no contact of what is none', async () => {
    const contact = newSomebody();

    expect(await suppressKnown(contact, 1_000)).toBe(false);
    expect(await read(contact)).toBeUndefined();
  });
});

describe('a contact that is erased', () => {
  const newAddress = () => `ann.${newOrganizationId().slice(-16)}@example.com`;

  /** Whatever is stored of the contact, as text. */
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

  /** Somebody who chose categories, bounced, and was erased. */
  async function storeErased(): Promise<Somebody> {
    const contact = newSomebody(newAddress());
    await ensure(contact, 1_000);
    const update = { subscriptions: { news: false }, liftsUnsubscribe: false };
    await savePreferences(table, idOf(contact), update, [], 2_000);
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

  it('is not found by its address', async () => {
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

  it('stays unknown when it is suppressed at the same moment', async () => {
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

  it('unsubscribes by a token that names it, and stays unknown', async () => {
    const contact = await storeErased();

    const isNews = await unsubscribeContact(table, { id: idOf(contact) }, [], 5_000);

    expect(isNews).toBe(true);
    expect(await read(contact)).toMatchObject({ unsubscribe: { at: 5_000 }, erasedAt: 4_000 });
    expect(await readItem(contact)).not.toContain('ann');
    expect(await findContactIds(table, contact.identity)).toEqual([]);
  });

  it('unsubscribes by its address, and stays unknown', async () => {
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

  it('is known again by a new send, and still suppressed', async () => {
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

  it('is erased again as the first time', async () => {
    const contact = await storeErased();

    await erase(contact, 5_000);

    expect(await read(contact)).toMatchObject({ bounce: { at: 3_000 }, erasedAt: 5_000 });
    expect(await readItem(contact)).not.toContain('ann');
  });

  it('does not come into being by that', async () => {
    const contact = newSomebody();

    await erase(contact, 1_000);

    expect(await read(contact)).toBeUndefined();
  });
});

describe('unsubscribeContact', () => {
  const unsubscribe = (contact: Somebody, now: number) => {
    const deliveries = buildDeliveries(idOf(contact), `${now}`);
    const ref = { id: idOf(contact), email: contact.identity };
    const run = () => unsubscribeContact(table, ref, deliveries, now);
    return { run, deliveries };
  };

  it('suppresses the address and stores the deliveries that tell of it', async () => {
    const contact = newSomebody();
    const { run, deliveries } = unsubscribe(contact, 1_000);

    expect(await run()).toBe(true);
    expect(await read(contact)).toMatchObject({ unsubscribe: { at: 1_000 }, createdAt: 1_000 });
    expect(await Promise.all(deliveries.map(({ id }) => getDelivery(table, id, 1_000)))).toEqual(
      deliveries,
    );
  });

  it('changes nothing and tells nobody when the address is unsubscribed already', async () => {
    const contact = newSomebody();
    await unsubscribe(contact, 1_000).run();
    const { run, deliveries } = unsubscribe(contact, 2_000);

    expect(await run()).toBe(false);
    expect(await read(contact)).toMatchObject({ unsubscribe: { at: 1_000 } });
    expect(await Promise.all(deliveries.map(({ id }) => getDelivery(table, id, 1_000)))).toEqual([
      undefined,
    ]);
  });

  it('keeps other suppressions and the choice of categories', async () => {
    const contact = newSomebody();
    await suppress(contact, 'bounce', 1_000);

    await unsubscribe(contact, 2_000).run();

    expect(await read(contact)).toMatchObject({
      bounce: { at: 1_000 },
      unsubscribe: { at: 2_000 },
    });
  });

  it('tells of one of many requests at once', async () => {
    const contact = newSomebody();

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => unsubscribe(contact, index + 1).run()),
    );

    expect(answers.filter(Boolean)).toHaveLength(1);
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

  it('finds a contact that a suppression made', async () => {
    const contact = newSomebody(`${newOrganizationId()}@example.com`);
    await suppress(contact, 'bounce', 1_000);

    expect(await findContactIds(table, contact.identity)).toEqual([idOf(contact)]);
  });

  it('finds nothing of an address that nobody knows', async () => {
    expect(await findContactIds(table, `${newOrganizationId()}@example.com`)).toEqual([]);
  });
});

describe('savePreferences', () => {
  const save = (contact: Somebody, subscriptions: Record<string, boolean>, lifts = false) =>
    savePreferences(table, idOf(contact), { subscriptions, liftsUnsubscribe: lifts }, [], 5_000);

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

  it('loses none of several changes at once', async () => {
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

  it('takes any key for a category', async () => {
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

    await savePreferences(table, idOf(contact), update, deliveries, 5_000);

    expect(await Promise.all(deliveries.map(({ id }) => getDelivery(table, id, 1_000)))).toEqual(
      deliveries,
    );
  });

  it('makes no contact of what is none', async () => {
    const contact = newSomebody();

    await expect(save(contact, { news: false })).rejects.toThrow();
    await expect(save(contact, {}, true)).rejects.toThrow();
    expect(await read(contact)).toBeUndefined();
  });
});
