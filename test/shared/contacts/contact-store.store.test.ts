import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import {
  isKnown,
  type KnownContact,
  type SuppressionReason,
  suppressionReasons,
} from '#shared/contacts/contact';
import {
  ensureContact,
  ensureContacts,
  eraseContact,
  findContactIds,
  getContact,
} from '#shared/contacts/contact-store';
import { storePreferences } from '#shared/preferences/contact-outbox';
import { suppressAddress, suppressUnsubscribed } from '#shared/suppressions/suppression-store';
import { contactKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { contactIdOf, newOrganizationId } from '#shared/tokens/resource-id';
import { getDelivery } from '#shared/webhook-deliveries/delivery-store';
import { buildContact, idOf, newSomebody, type Somebody } from '../../support/contact-builder.ts';
import { buildDeliveries } from '../../support/delivery-builder.ts';
import { dyingTable, interceptWrites } from '../../support/disturbed-table.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const read = (contact: Somebody) => getContact(table, idOf(contact));

/** Reads a contact that is there and known. */
async function known(contact: Somebody): Promise<KnownContact> {
  const stored = await read(contact);
  if (!isKnown(stored)) throw new Error('There is no such contact');
  return stored;
}

const ensure = ({ organizationId, identity }: Somebody, now: number) =>
  ensureContact(table, organizationId, identity, now);

const suppress = ({ organizationId, identity }: Somebody, reason: SuppressionReason, now: number) =>
  suppressAddress(table, organizationId, { identity, reason }, now);

/** Those of the deliveries that are stored. */
const storedOf = async (deliveries: ReturnType<typeof buildDeliveries>) =>
  (await Promise.all(deliveries.map(({ id }) => getDelivery(table, id, 1_000)))).filter(
    (delivery) => delivery !== undefined,
  );

const erase = (contact: Somebody, now: number) => eraseContact(table, idOf(contact), now);

const withoutNews = { subscriptions: { news: false }, liftsUnsubscribe: false };

describe('a contact that is ensured', () => {
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

  it('brings nobody back who was erased since the email was claimed', async () => {
    const contact = newSomebody();
    await ensure(contact, 1_000);
    await erase(contact, 2_000);

    await ensure(contact, 1_500);
    await ensure(contact, 2_000);

    expect((await read(contact))?.email).toBeUndefined();
  });

  it('creates a separate contact in each organization', async () => {
    const [here, there] = [newSomebody(), newSomebody()];

    await ensure(here, 1_000);

    expect(await read(there)).toBeUndefined();
  });
});

describe('ensureMissingContacts', () => {
  it('creates those that are missing, and writes nothing where they are there', async () => {
    const ann = newSomebody();
    const ofHers = (identity: string) => ({ ...ann, identity });
    await ensure(ann, 1_000);
    const before = await read(ann);
    const ensureMissing = (on = table) =>
      ensureContacts(
        on,
        ann.organizationId,
        [ann.identity, 'bob@example.com', 'bob@example.com'],
        2_000,
      );

    await ensureMissing();
    await ensureMissing(dyingTable(1));

    expect(await read(ann)).toEqual(before);
    expect(await read(ofHers('bob@example.com'))).toMatchObject({
      email: 'bob@example.com',
      createdAt: 2_000,
    });
  });

  it('brings nobody back who was erased since the email was claimed', async () => {
    const contact = newSomebody();
    await erase(contact, 2_000);

    await ensureContacts(table, contact.organizationId, [contact.identity], 1_000);

    expect((await read(contact))?.email).toBeUndefined();
  });

  it('asks for nothing when nobody is left', async () => {
    const mute: Table = { ...table, name: 'no such table' };

    await expect(ensureContacts(mute, newOrganizationId(), [], 1_000)).resolves.toBeUndefined();
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
    await storePreferences(table, await known(contact), withoutNews, [], 2_000);
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
    expect(await readItem(contact)).not.toMatch(/ann\.|"news"/);
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
    expect(await readItem(contact)).not.toContain('ann.');
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
    expect(await readItem(contact)).not.toContain('ann.');
  });

  it('can be unsubscribed by its id, and stays unknown', async () => {
    const contact = await storeErased();

    const outcome = await suppressUnsubscribed(table, { id: idOf(contact) }, 5_000, {
      deliveries: [],
      createsMissing: true,
    });

    expect(outcome).toBe('suppressed');
    expect(await read(contact)).toMatchObject({ unsubscribe: { at: 5_000 }, erasedAt: 4_000 });
    expect(await readItem(contact)).not.toContain('ann.');
    expect(await findContactIds(table, contact.identity)).toEqual([]);
  });

  it('is not unsubscribed with its address: nothing is written', async () => {
    const contact = await storeErased();
    const ref = { id: idOf(contact), email: contact.identity };
    const deliveries = buildDeliveries(ref.id);

    const outcome = await suppressUnsubscribed(table, ref, 5_000, {
      deliveries,
      createsMissing: true,
    });

    expect(outcome).toBe('erased');
    expect(await read(contact)).not.toHaveProperty('unsubscribe');
    expect(await readItem(contact)).not.toContain('ann.');
    expect(await storedOf(deliveries)).toEqual([]);
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
    expect(await readItem(contact)).not.toContain('ann.');
  });

  it.each(suppressionReasons)(
    'stays unknown after a later %s, although the organization had no contact',
    async (reason) => {
      const contact = newSomebody(newAddress());

      await erase(contact, 4_000);
      await suppress(contact, reason, 5_000);

      expect(await read(contact)).toEqual({
        id: idOf(contact),
        subscriptions: {},
        erasedAt: 4_000,
        [reason]: { at: 5_000 },
        createdAt: 4_000,
        updatedAt: 5_000,
      });
      expect(await readItem(contact)).not.toContain('ann.');
    },
  );

  it('stays unknown if its first bounce comes at the same moment', async () => {
    const contact = newSomebody(newAddress());
    const bounce = interceptWrites(async (write) => {
      if (write === 1) await erase(contact, 2_000);
    });

    await suppressAddress(
      bounce,
      contact.organizationId,
      { identity: contact.identity, reason: 'bounce' },
      2_000,
    );

    expect(await read(contact)).toMatchObject({ bounce: { at: 2_000 }, erasedAt: 2_000 });
    expect(await readItem(contact)).not.toContain('ann.');
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
  const save = async (contact: Somebody, subscriptions: Record<string, boolean>, lifts = false) =>
    storePreferences(
      table,
      await known(contact),
      { subscriptions, liftsUnsubscribe: lifts },
      [],
      5_000,
    );

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

  it('writes 1,000 categories and lifts the unsubscription at once', async () => {
    const contact = newSomebody();
    await suppress(contact, 'unsubscribe', 1_000);
    const subscriptions = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`category-${index}-${'x'.repeat(40)}`, false]),
    );

    expect(await save(contact, subscriptions, true)).toBe(true);

    expect(await known(contact)).toMatchObject({ subscriptions });
    expect(await known(contact)).not.toHaveProperty('unsubscribe');
  });

  it('stores the deliveries that tell of it', async () => {
    const contact = newSomebody();
    await ensure(contact, 1_000);
    const deliveries = buildDeliveries(idOf(contact));

    await storePreferences(table, await known(contact), withoutNews, deliveries, 5_000);

    expect(await storedOf(deliveries)).toEqual(deliveries);
  });

  type Meanwhile = (contact: Somebody) => Promise<unknown>;
  it.each<[string, Meanwhile]>([
    ['a category', (contact) => save(contact, { offers: false })],
    ['its unsubscription', (contact) => suppress(contact, 'unsubscribe', 3_000)],
    ['its address', (contact) => erase(contact, 3_000)],
  ])('writes nothing for a contact that has changed since, in %s', async (_what, meanwhile) => {
    const contact = newSomebody();
    await ensure(contact, 1_000);
    const seen = await known(contact);
    await meanwhile(contact);
    const changed = await read(contact);
    const deliveries = buildDeliveries(seen.id);

    const isStored = await storePreferences(table, seen, withoutNews, deliveries, 5_000);

    expect(isStored).toBe(false);
    expect(await read(contact)).toEqual(changed);
    expect(await storedOf(deliveries)).toEqual([]);
  });

  it('lifts no unsubscription that somebody else has lifted since', async () => {
    const contact = newSomebody();
    await suppress(contact, 'unsubscribe', 1_000);
    const seen = await known(contact);
    await save(contact, {}, true);

    const update = { subscriptions: {}, liftsUnsubscribe: true };

    expect(await storePreferences(table, seen, update, [], 6_000)).toBe(false);
  });

  it('creates no contact', async () => {
    const contact = newSomebody();
    const nobody = buildContact({ id: idOf(contact) });

    const isStored = await storePreferences(table, nobody, withoutNews, [], 5_000);

    expect(isStored).toBe(false);
    expect(await read(contact)).toBeUndefined();
  });
});
