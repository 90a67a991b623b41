import { describe, expect, it } from 'vitest';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { type SuppressionReason, suppressionReasons } from '#shared/contacts/contact';
import { ensureContact, eraseContact, getContact } from '#shared/contacts/contact-store';
import {
  removeSuppressions,
  suppressAddress,
  suppressKnownAddress,
  suppressUnsubscribed,
} from '#shared/suppressions/suppression-store';
import { deliveriesOfContact } from '#shared/table/delivery-keys';
import { queryAll } from '#shared/table/reads';
import { type ContactId, contactIdOf, newWebhookId } from '#shared/tokens/resource-id';
import { toDelivery } from '#shared/webhook-deliveries/delivery-store';
import { idOf, newSomebody, type Somebody } from '../../support/contact-builder.ts';
import { buildDeliveries, farExpiry } from '../../support/delivery-builder.ts';
import { asDescribed } from '../../support/described-message.ts';
import {
  Death,
  dyingTable,
  loseFirstAnswer,
  openDisturbedTable,
} from '../../support/disturbed-table.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { storedAmong } from '../../support/stored-delivery.ts';

const table = openStoreTable();
const read = (contact: Somebody) => getContact(table, idOf(contact));

const ensure = ({ organizationId, identity }: Somebody, now: number) =>
  ensureContact(table, organizationId, identity, now);

const suppress = ({ organizationId, identity }: Somebody, reason: SuppressionReason, now: number) =>
  suppressAddress(table, organizationId, { identity, reason }, now);

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
    suppressAddress(
      table,
      organizationId,
      { identity, reason: 'complaint', details: { possible } },
      now,
    );

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

    expect(outcomes.map(({ outcome }) => outcome)).toEqual([
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
  const suppressKnown = async ({ organizationId, identity }: Somebody, now: number) =>
    (await suppressKnownAddress(table, organizationId, { identity, reason: 'complaint' }, now))
      .outcome;

  it('suppresses an existing contact', async () => {
    const contact = newSomebody();
    await ensure(contact, 1_000);

    expect(await suppressKnown(contact, 2_000)).toBe('suppressed');
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

    expect(await suppressKnown(contact, 3_000)).toBe('unchanged');
    expect(await read(contact)).toMatchObject({ complaint: { at: 2_000 } });
  });

  it('creates no contact', async () => {
    const contact = newSomebody();

    expect(await suppressKnown(contact, 1_000)).toBe('unchanged');
    expect(await read(contact)).toBeUndefined();
  });
});

describe('unsubscribing a contact', () => {
  const unsubscribe = (contact: Somebody, now: number, createsMissing = true) => {
    const deliveries = buildDeliveries(idOf(contact), `${now}`);
    const ref = { id: idOf(contact), email: contact.identity };
    const run = () => suppressUnsubscribed(table, ref, now, { deliveries, createsMissing });
    return { run, deliveries };
  };

  it('suppresses the address and stores the deliveries that tell of it', async () => {
    const contact = newSomebody();
    const { run, deliveries } = unsubscribe(contact, 1_000);

    expect(await run()).toBe('suppressed');
    expect(await read(contact)).toMatchObject({ unsubscribe: { at: 1_000 }, createdAt: 1_000 });
    expect(await storedAmong(table, deliveries)).toEqual(deliveries);
  });

  it('changes nothing and stores no delivery if the address is unsubscribed already', async () => {
    const contact = newSomebody();
    await unsubscribe(contact, 1_000).run();
    const { run, deliveries } = unsubscribe(contact, 2_000);

    expect(await run()).toBe('unchanged');
    expect(await read(contact)).toMatchObject({ unsubscribe: { at: 1_000 } });
    expect(await storedAmong(table, deliveries)).toEqual([]);
  });

  it('creates no contact if it may not, and tells nobody', async () => {
    const contact = newSomebody();
    const { run, deliveries } = unsubscribe(contact, 1_000, false);

    expect(await run()).toBe('unchanged');
    expect(await read(contact)).toBeUndefined();
    expect(await storedAmong(table, deliveries)).toEqual([]);
  });

  it('suppresses a contact that is there even if it may create none', async () => {
    const contact = newSomebody();
    await ensure(contact, 1_000);

    expect(await unsubscribe(contact, 2_000, false).run()).toBe('suppressed');
    expect(await read(contact)).toMatchObject({ unsubscribe: { at: 2_000 } });
  });

  it('keeps other suppressions', async () => {
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

describe('the webhook message about a suppression', () => {
  /** Ann, in an organization with one endpoint. */
  function newReported() {
    const contact = newSomebody();
    const subscriptions = { [newWebhookId(contact.organizationId)]: { eventTypes: [] } };
    const deliverySettings = { subscriptions, expiresAt: farExpiry };
    const details = { at: 1_000, providerMessageId: 'message-1' };
    const add = async (on = table) => {
      const { organizationId, identity } = contact;
      const alongside = { deliverySettings };
      const { outcome } = await suppressAddress(
        on,
        organizationId,
        { identity, reason: 'bounce', details },
        2_000,
        alongside,
      );
      return outcome;
    };
    const id = idOf(contact);
    const entry = newAuditEntry(
      contact.organizationId,
      'operator',
      { action: 'suppression.lifted', target: id },
      3_000,
    );
    const lift = async (on = table) => {
      const named = { id, email: contact.identity };
      const lifted = [{ reason: 'bounce', ...details }] as const;
      const removed = await removeSuppressions(on, named, lifted, 3_000, {
        entry,
        deliverySettings,
      });
      return removed !== undefined;
    };
    const reported = async () =>
      (await queryAll(table, deliveriesOfContact(id)))
        .map(toDelivery)
        .sort((one, other) => one.createdAt - other.createdAt)
        .map(({ body }): unknown => JSON.parse(body));
    return { contact, id, add, lift, reported };
  }
  const erase = ({ id }: { readonly id: ContactId }) => eraseContact(table, id, 2_500);

  it('is stored with each suppression that is added or removed, and matches the description', async () => {
    const { id, add, lift, reported } = newReported();

    const outcomes = [await add(), await add(), await lift(), await lift()];

    const data = {
      contactId: id,
      email: 'ann@example.com',
      reason: 'bounce',
      at: 1_000,
      messageId: 'message-1',
    };
    const messages = [
      { type: 'suppression.added', data },
      { type: 'suppression.removed', data },
    ];
    expect(outcomes).toEqual(['suppressed', 'unchanged', true, false]);
    expect(await reported()).toMatchObject(messages);
    expect((await reported()).map(asDescribed)).toEqual(await reported());
  });

  it('is stored again when the address is suppressed again', async () => {
    const { add, lift, reported } = newReported();

    for (const change of [add, lift, add]) await change();

    expect(await reported()).toHaveLength(3);
  });

  it('is stored once when the answer was lost, and not at all when nothing was stored', async () => {
    const { add, lift, reported } = newReported();

    await expect(add(dyingTable(1))).rejects.toThrow(Death);
    expect(await reported()).toEqual([]);
    expect(await add(openDisturbedTable(loseFirstAnswer('TransactWriteItems')))).toBe('suppressed');
    await expect(lift(dyingTable(1))).rejects.toThrow(Death);
    expect(await reported()).toHaveLength(1);
    expect(await lift(openDisturbedTable(loseFirstAnswer('TransactWriteItems')))).toBe(true);
    expect(await reported()).toHaveLength(2);
  });

  it('names nobody who was erased, before or since', async () => {
    const [before, since] = [newReported(), newReported()];
    await erase(before);
    await since.add();

    expect(await before.add()).toBe('suppressed');
    await erase(since);
    expect(await since.lift()).toBe(true);

    const [added] = await before.reported();
    const removed = (await since.reported()).at(-1);
    expect(added).toMatchObject({ type: 'suppression.added', data: { contactId: before.id } });
    expect(removed).toMatchObject({ type: 'suppression.removed', data: { contactId: since.id } });
    expect(JSON.stringify([added, removed])).not.toContain('ann@example.com');
    expect(await read(since.contact)).not.toHaveProperty('bounce');
  });
});
