import { describe, expect, it } from 'vitest';
import { isKnown, type KnownContact } from '#shared/contacts/contact';
import { ensureContact, eraseContact, getContact } from '#shared/contacts/contact-store';
import type { Organization } from '#shared/organizations/organization';
import { putOrganization } from '#shared/organizations/organization-store';
import { leaveCategory } from '#shared/preferences/change-preferences';
import {
  type ContactReporting,
  unsubscribeContact,
  unsubscribeContactIfThere,
  writePreferences,
} from '#shared/preferences/contact-outbox';
import { deliveriesOfContact } from '#shared/table/delivery-keys';
import { queryAll } from '#shared/table/reads';
import {
  type ContactId,
  contactIdOf,
  newOrganizationId,
  newWebhookId,
  organizationIdOf,
} from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { getDelivery, toDelivery } from '#shared/webhook-deliveries/delivery-store';
import { asDescribed } from '../../support/described-message.ts';
import { interceptWrites, openDisturbedTable } from '../../support/disturbed-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const now = 1_750_000_000_000;
const daysLater = (days: number) => now / 1000 + days * 86_400;

/** Wakes nobody. */
const reportingAt = (time: number, via = table): ContactReporting => ({
  ...{ table: via, now: () => time, sendRetentionDays: 90 },
  wakeWebhooks: async () => {},
});

/** Ann, in an organization with one endpoint that wants every event. */
async function openAnn(overrides: Partial<Organization> = {}) {
  const id = newOrganizationId();
  const webhookId = newWebhookId(id);
  const webhooks = { [webhookId]: { eventTypes: [] } };
  await putOrganization(table, buildOrganization({ id, webhooks, ...overrides }));
  await ensureContact(table, id, 'ann@example.com', now);
  const reported: Delivery[] = [];
  const at = (time: number): ContactReporting => ({
    ...reportingAt(time),
    wakeWebhooks: async (deliveries) => {
      reported.push(...deliveries);
    },
  });
  const ann = { id: contactIdOf(id, 'ann@example.com'), email: 'ann@example.com' };
  return { at, reported, ann };
}

const noNews = { subscriptions: { news: false }, liftsUnsubscribe: false };
/** Reads a contact that is there and known. */
async function seen({ id }: { readonly id: ContactId }): Promise<KnownContact> {
  const contact = await getContact(table, id);
  if (!isKnown(contact)) throw new Error('There is no such contact');
  return contact;
}

/** Reads the rows that tell webhooks of a contact. */
const storedDeliveries = async (id: ContactId): Promise<Delivery[]> =>
  (await queryAll(table, deliveriesOfContact(id))).map(toDelivery);

const byType = (one: Delivery, other: Delivery): number => (one.type < other.type ? -1 : 1);

/** The message of a delivery, which is one that the description knows. */
function bodyOf(delivery: Delivery | undefined): unknown {
  const body: unknown = JSON.parse(delivery?.body ?? '');
  expect(asDescribed(body)).toEqual(body);
  return body;
}

describe('unsubscribeContact', () => {
  it('tells webhooks the address, and wakes the queue for the stored deliveries', async () => {
    const { at, reported, ann } = await openAnn();

    await unsubscribeContact(ann, at(now));

    const [delivery] = reported;
    expect(delivery && (await getDelivery(table, delivery.id, now))).toEqual(delivery);
    expect(bodyOf(delivery)).toEqual({
      type: 'contact.unsubscribed',
      timestamp: new Date(now).toISOString(),
      data: { contactId: ann.id, email: 'ann@example.com' },
    });
  });

  it('tells webhooks once', async () => {
    const { at, reported, ann } = await openAnn();

    await unsubscribeContact(ann, at(now));
    await unsubscribeContact(ann, at(now + 1));

    expect(reported.map(({ type }) => type)).toEqual(['contact.unsubscribed', 'suppression.added']);
    expect(reported.map(bodyOf)).toMatchObject([
      {},
      { data: { contactId: ann.id, email: ann.email, reason: 'unsubscribe', at: now } },
    ]);
  });

  it('creates the contact of an address that the organization never sent to', async () => {
    const { at, reported, ann } = await openAnn();
    const bob = contactIdOf(organizationIdOf(ann.id), 'bob@example.com');

    await unsubscribeContact({ id: bob, email: 'bob@example.com' }, at(now));

    expect(reported).toHaveLength(2);
    expect(await getContact(table, bob)).toMatchObject({ unsubscribe: { at: now } });
  });

  it.each([
    ['its id', undefined],
    ['its address', 'ann@example.com'],
  ])('tells webhooks of an erased person without an address, by %s', async (_by, email) => {
    const { at, reported, ann } = await openAnn();
    await eraseContact(table, ann.id, now);

    await unsubscribeContact({ id: ann.id, email }, at(now));

    expect(reported).toHaveLength(2);
    expect(reported.map(bodyOf)).toMatchObject(
      reported.map(() => ({ data: { contactId: ann.id } })),
    );
    expect(JSON.stringify(reported.map(({ body }) => body))).not.toMatch(/email|ann@/);
    expect(await getContact(table, ann.id)).toMatchObject({ unsubscribe: { at: now } });
    expect(await getContact(table, ann.id)).not.toHaveProperty('email');
    expect((await storedDeliveries(ann.id)).toSorted(byType)).toEqual(reported);
  });
});

describe('unsubscribeContactIfThere', () => {
  it('stores the webhook messages with the change, once, and wakes the queue', async () => {
    const { at, reported, ann } = await openAnn();

    await unsubscribeContactIfThere(ann.id, at(now));
    await unsubscribeContactIfThere(ann.id, at(now + 1));

    const [delivery, ...others] = (await storedDeliveries(ann.id)).toSorted(byType);
    expect(reported.map(({ id }) => id)).toContain(delivery?.id);
    expect(bodyOf(delivery)).toMatchObject({ data: { email: 'ann@example.com' } });
    expect(others.map(({ type }) => type)).toEqual(['suppression.added']);
    expect(await getContact(table, ann.id)).toMatchObject({ unsubscribe: { at: now } });
  });

  it('creates no contact, and stores nothing to tell', async () => {
    const { at, ann } = await openAnn();
    const bob = contactIdOf(organizationIdOf(ann.id), 'bob@example.com');

    await unsubscribeContactIfThere(bob, at(now));

    expect(await getContact(table, bob)).toBeUndefined();
    expect(await storedDeliveries(bob)).toEqual([]);
  });

  it('tells webhooks of an erased person without an address', async () => {
    const { at, ann } = await openAnn();
    await eraseContact(table, ann.id, now);

    await unsubscribeContactIfThere(ann.id, at(now));

    const [delivery] = await storedDeliveries(ann.id);
    expect(delivery?.body).toContain(ann.id);
    expect(delivery?.body).not.toMatch(/email|ann@/);
  });

  it('brings no address back of a person who is erased at the same moment', async () => {
    const { ann } = await openAnn();
    const slow = interceptWrites(async (write) => {
      if (write === 1) await eraseContact(table, ann.id, now);
    });

    await unsubscribeContactIfThere(ann.id, reportingAt(now, slow));

    expect(await getContact(table, ann.id)).toMatchObject({ unsubscribe: { at: now } });
    expect(await getContact(table, ann.id)).not.toHaveProperty('email');
    const [delivery] = await storedDeliveries(ann.id);
    expect(delivery?.body).not.toMatch(/email|ann@/);
  });

  it('makes the same calls for whomever it is', async () => {
    const { ann } = await openAnn();
    const other = await openAnn();
    await eraseContact(table, other.ann.id, now);
    const bob = contactIdOf(organizationIdOf(ann.id), 'bob@example.com');
    const ofNobody = contactIdOf(newOrganizationId(), 'ann@example.com');
    const callsOf = async (contactId: ContactId) => {
      const calls: string[] = [];
      const watched = openDisturbedTable({
        before: async ({ operation }) => {
          calls.push(operation);
        },
      });
      const wake = async (deliveries: readonly unknown[]) => {
        calls.push(`wake for ${deliveries.length}`);
      };
      await unsubscribeContactIfThere(contactId, {
        ...reportingAt(now, watched),
        wakeWebhooks: wake,
      });
      return calls;
    };

    const subscribed = await callsOf(ann.id);

    expect(subscribed).toEqual(['GetItem', 'GetItem', 'TransactWriteItems', 'wake for 2']);
    expect(await callsOf(ann.id)).toEqual(subscribed);
    expect(await callsOf(other.ann.id)).toEqual(subscribed);
    expect(await callsOf(bob)).toEqual(subscribed);
    // No organization is no webhook to wake for.
    expect(await callsOf(ofNobody)).toEqual([...subscribed.slice(0, -1), 'wake for 0']);
  });
});

describe('writePreferences', () => {
  it('tells webhooks what was changed', async () => {
    const { at, reported, ann } = await openAnn();

    const isStored = await writePreferences(await seen(ann), noNews, at(now));

    expect(isStored).toBe(true);
    expect(reported).toHaveLength(1);
    expect(bodyOf(reported[0])).toMatchObject({
      type: 'contact.preferences_updated',
      data: {
        contactId: ann.id,
        email: 'ann@example.com',
        subscriptions: [{ categoryKey: 'news', subscribed: false }],
        resubscribed: false,
      },
    });
    expect(await storedDeliveries(ann.id)).toEqual(reported);
  });

  it('tells webhooks that an unsubscription was taken back, and the suppression with it', async () => {
    const { at, reported, ann } = await openAnn();
    await unsubscribeContact(ann, at(now - 1));
    reported.length = 0;

    await writePreferences(await seen(ann), { ...noNews, liftsUnsubscribe: true }, at(now));

    expect(reported.map(bodyOf)).toMatchObject([
      { data: { resubscribed: true } },
      { type: 'suppression.removed', data: { reason: 'unsubscribe', at: now - 1 } },
    ]);
  });

  it('tells nobody of a change that came too late', async () => {
    const { at, reported, ann } = await openAnn();
    const before = await seen(ann);
    await writePreferences(before, noNews, at(now));

    expect(await writePreferences(before, noNews, at(now + 1))).toBe(false);
    expect(reported).toHaveLength(1);
  });
});

describe('the webhook deliveries of a contact', () => {
  it.each([
    { own: undefined, days: 90 },
    { own: 30, days: 30 },
    { own: 365, days: 90 },
  ])(
    'are kept as long as a send: $days days for an organization that asks for $own',
    async ({ own, days }) => {
      const overrides = own === undefined ? {} : { sendRetentionDays: own };
      const { at, reported, ann } = await openAnn(overrides);

      await unsubscribeContact(ann, at(now));
      await writePreferences(await seen(ann), noNews, at(now));

      expect(reported).toHaveLength(3);
      expect(reported.map(({ expiresAt }) => expiresAt)).toEqual(
        reported.map(() => daysLater(days)),
      );
    },
  );

  it('are none if no endpoint listens, and the change is stored', async () => {
    const { at, reported, ann } = await openAnn({ webhooks: {} });

    await unsubscribeContact(ann, at(now));

    expect(reported).toEqual([]);
    expect(await getContact(table, ann.id)).toMatchObject({ unsubscribe: { at: now } });
  });
});

describe('leaving a category', () => {
  /** Ann's world, through a table that may fail. */
  async function prepare() {
    const world = await openAnn();
    const leave = (via = table) => leaveCategory(world.ann.id, 'offers', reportingAt(now, via));
    return { ...world, leave };
  }
  const stored = (id: ContactId) => getContact(table, id);

  it('is stored with what tells webhooks of it, once for however many clicks', async () => {
    const { ann, leave } = await prepare();

    await Promise.all([leave(), leave(), leave()]);
    await leave();

    expect(await stored(ann.id)).toMatchObject({ subscriptions: { offers: false } });
    const deliveries = await storedDeliveries(ann.id);
    expect(deliveries.map(bodyOf)).toMatchObject([
      {
        type: 'contact.preferences_updated',
        data: { subscriptions: [{ categoryKey: 'offers', subscribed: false }] },
      },
    ]);
  });

  it('keeps the word of an erased person, without the address', async () => {
    const { ann, leave } = await prepare();
    await eraseContact(table, ann.id, now);

    await leave();

    expect(await stored(ann.id)).toMatchObject({ subscriptions: { offers: false } });
    expect(await stored(ann.id)).not.toHaveProperty('email');
    const [delivery] = await storedDeliveries(ann.id);
    expect(bodyOf(delivery)).not.toHaveProperty('data.email');
  });

  it('does not bring back the address of a person who is erased at the same moment', async () => {
    const { ann, leave } = await prepare();
    const slow = interceptWrites(async (write) => {
      if (write === 1) await eraseContact(table, ann.id, now);
    });

    await leave(slow);

    expect(await stored(ann.id)).toMatchObject({ subscriptions: { offers: false } });
    expect(await stored(ann.id)).not.toHaveProperty('email');
    expect(JSON.stringify(await storedDeliveries(ann.id))).not.toContain('ann@');
  });

  it('loses no other choice that is made at the same moment', async () => {
    const { ann, at, leave } = await prepare();
    const slow = interceptWrites(async (write) => {
      if (write === 1) await writePreferences(await seen(ann), noNews, at(now));
    });

    await leave(slow);

    expect(await stored(ann.id)).toMatchObject({ subscriptions: { news: false, offers: false } });
  });

  it('is still there when the person becomes a customer again', async () => {
    const { ann, leave } = await prepare();
    await eraseContact(table, ann.id, now);
    await leave();

    await ensureContact(table, organizationIdOf(ann.id), 'ann@example.com', now + 1);

    expect(await stored(ann.id)).toMatchObject({
      email: 'ann@example.com',
      subscriptions: { offers: false },
    });
  });
});
