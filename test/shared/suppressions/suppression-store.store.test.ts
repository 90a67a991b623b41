import { describe, expect, it } from 'vitest';
import { type SuppressionReason, suppressionReasons } from '#shared/contacts/contact';
import { openContactStore } from '#shared/contacts/contact-store';
import { openDeliveryStore } from '#shared/deliveries/delivery-store';
import { openSuppressionStore } from '#shared/suppressions/suppression-store';
import { contactIdOf, newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
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

const read = (contact: Somebody) => openContactStore(table).get(idOf(contact));

const ensure = ({ organizationId, identity }: Somebody, now: number) =>
  openContactStore(table).ensure(organizationId, identity, now);

const suppress = ({ organizationId, identity }: Somebody, reason: SuppressionReason, now: number) =>
  openSuppressionStore(table).suppress(organizationId, identity, reason, now);

describe('suppressing an address', () => {
  it('creates a missing contact', async () => {
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

  const complain = ({ organizationId, identity }: Somebody, now: number, possible?: true) =>
    openSuppressionStore(table).suppress(organizationId, identity, 'complaint', now, { possible });

  it('makes a possible complaint certain once the person has complained, and never the other way', async () => {
    const [first, second] = [newSomebody(), newSomebody()];

    const outcomes = [
      await complain(first, 1_000, true),
      await complain(first, 2_000, true),
      await complain(first, 3_000),
      await complain(first, 4_000, true),
      await complain(second, 1_000),
      await complain(second, 2_000, true),
    ];

    expect(outcomes).toEqual([
      'suppressed',
      'unchanged',
      'suppressed',
      'unchanged',
      'suppressed',
      'unchanged',
    ]);
    expect((await read(first))?.complaint).toEqual({ at: 3_000 });
    expect((await read(second))?.complaint).toEqual({ at: 1_000 });
  });

  it('keeps each reason beside the others', async () => {
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

describe('suppressing an address of a contact that is there', () => {
  const suppressKnown = ({ organizationId, identity }: Somebody, now: number) =>
    openSuppressionStore(table).suppressKnown(organizationId, identity, 'complaint', now);

  it('suppresses an existing contact', async () => {
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

  it('creates no contact', async () => {
    const contact = newSomebody();

    expect(await suppressKnown(contact, 1_000)).toBe(false);
    expect(await read(contact)).toBeUndefined();
  });
});

describe('unsubscribing a contact', () => {
  const unsubscribe = (contact: Somebody, now: number, createsMissing = true) => {
    const deliveries = buildDeliveries(idOf(contact), `${now}`);
    const ref = { id: idOf(contact), email: contact.identity };
    const run = () => openSuppressionStore(table).unsubscribe(ref, deliveries, now, createsMissing);
    return { run, deliveries };
  };

  it('suppresses the address and stores the deliveries that tell of it', async () => {
    const contact = newSomebody();
    const { run, deliveries } = unsubscribe(contact, 1_000);

    expect(await run()).toBe('suppressed');
    expect(await read(contact)).toMatchObject({ unsubscribe: { at: 1_000 }, createdAt: 1_000 });
    expect(
      await Promise.all(deliveries.map(({ id }) => openDeliveryStore(table).get(id, 1_000))),
    ).toEqual(deliveries);
  });

  it('changes nothing and stores no delivery if the address is unsubscribed already', async () => {
    const contact = newSomebody();
    await unsubscribe(contact, 1_000).run();
    const { run, deliveries } = unsubscribe(contact, 2_000);

    expect(await run()).toBe('unchanged');
    expect(await read(contact)).toMatchObject({ unsubscribe: { at: 1_000 } });
    expect(
      await Promise.all(deliveries.map(({ id }) => openDeliveryStore(table).get(id, 1_000))),
    ).toEqual([undefined]);
  });

  it('creates no contact if it may not, and tells nobody', async () => {
    const contact = newSomebody();
    const { run, deliveries } = unsubscribe(contact, 1_000, false);

    expect(await run()).toBe('unchanged');
    expect(await read(contact)).toBeUndefined();
    expect(
      await Promise.all(deliveries.map(({ id }) => openDeliveryStore(table).get(id, 1_000))),
    ).toEqual([undefined]);
  });

  it('suppresses a contact that is there even if it may create none', async () => {
    const contact = newSomebody();
    await ensure(contact, 1_000);

    expect(await unsubscribe(contact, 2_000, false).run()).toBe('suppressed');
    expect(await read(contact)).toMatchObject({ unsubscribe: { at: 2_000 } });
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

  it('answers yes to one of many requests at once', async () => {
    const contact = newSomebody();

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => unsubscribe(contact, index + 1).run()),
    );

    expect(answers.filter((answer) => answer === 'suppressed')).toHaveLength(1);
  });
});
