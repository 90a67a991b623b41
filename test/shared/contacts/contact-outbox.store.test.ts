import { describe, expect, it } from 'vitest';
import { openContactOutbox } from '#shared/contacts/contact-outbox';
import { ensureContact, eraseContact, getContact } from '#shared/contacts/contact-store';
import type { Organization } from '#shared/organizations/organization';
import { putNewOrganization } from '#shared/organizations/organization-store';
import { contactIdOf, newOrganizationId, newWebhookId } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhooks/delivery';
import { getDelivery } from '#shared/webhooks/delivery-store';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const now = 1_750_000_000_000;
const daysLater = (days: number) => now / 1000 + days * 86_400;

/** Ann, in an organization with one endpoint that wants every event. */
async function openOutbox(overrides: Partial<Organization> = {}) {
  const id = newOrganizationId();
  const webhookId = newWebhookId(id);
  const webhooks = { [webhookId]: { eventTypes: [] } };
  await putNewOrganization(table, buildOrganization({ id, webhooks, ...overrides }));
  await ensureContact(table, id, 'ann@example.com', now);
  const told: Delivery[] = [];
  const outbox = openContactOutbox(
    table,
    async (deliveries) => {
      told.push(...deliveries);
    },
    90,
  );
  const ann = { id: contactIdOf(id, 'ann@example.com'), email: 'ann@example.com' };
  return { outbox, told, ann };
}

const noNews = { subscriptions: { news: false }, liftsUnsubscribe: false };
const bodyOf = (delivery: Delivery | undefined): unknown => JSON.parse(delivery?.body ?? '');

describe('unsubscribe', () => {
  it('tells webhooks the address, and wakes the queue for the stored deliveries', async () => {
    const { outbox, told, ann } = await openOutbox();

    await outbox.unsubscribe(ann, now);

    const [delivery] = told;
    expect(delivery && (await getDelivery(table, delivery.id, now))).toEqual(delivery);
    expect(bodyOf(delivery)).toEqual({
      type: 'contact.unsubscribed',
      timestamp: new Date(now).toISOString(),
      data: { contactId: ann.id, email: 'ann@example.com' },
    });
  });

  it('tells webhooks once', async () => {
    const { outbox, told, ann } = await openOutbox();

    await outbox.unsubscribe(ann, now);
    await outbox.unsubscribe(ann, now + 1);

    expect(told).toHaveLength(1);
  });

  it('tells webhooks of an erased person without an address', async () => {
    const { outbox, told, ann } = await openOutbox();
    await eraseContact(table, ann.id, now);

    await outbox.unsubscribe({ id: ann.id }, now);

    expect(bodyOf(told[0])).toMatchObject({ data: { contactId: ann.id } });
    expect(told[0]?.body).not.toMatch(/email|ann@/);
    expect(await getContact(table, ann.id)).not.toHaveProperty('email');
  });
});

describe('storePreferences', () => {
  it('tells webhooks what was changed, each time', async () => {
    const { outbox, told, ann } = await openOutbox();

    await outbox.storePreferences(ann.id, noNews, now);
    await outbox.storePreferences(ann.id, noNews, now + 1);

    expect(told).toHaveLength(2);
    expect(bodyOf(told[0])).toMatchObject({
      type: 'contact.preferences_updated',
      data: {
        contactId: ann.id,
        email: 'ann@example.com',
        subscriptions: [{ categoryKey: 'news', subscribed: false }],
        resubscribed: false,
      },
    });
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
      const { outbox, told, ann } = await openOutbox(overrides);

      await outbox.unsubscribe(ann, now);
      await outbox.storePreferences(ann.id, noNews, now);

      expect(told.map(({ expiresAt }) => expiresAt)).toEqual([daysLater(days), daysLater(days)]);
    },
  );

  it('are none if no endpoint listens, and the change is stored', async () => {
    const { outbox, told, ann } = await openOutbox({ webhooks: {} });

    await outbox.unsubscribe(ann, now);

    expect(told).toEqual([]);
    expect(await getContact(table, ann.id)).toMatchObject({ unsubscribe: { at: now } });
  });
});
