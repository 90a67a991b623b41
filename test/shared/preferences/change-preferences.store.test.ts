import { describe, expect, it } from 'vitest';
import { getContact } from '#shared/contacts/contact-store';
import { putOrganization } from '#shared/organizations/organization-store';
import { changePreferences } from '#shared/preferences/change-preferences';
import type { ContactReporting } from '#shared/preferences/contact-outbox';
import { suppressAddress } from '#shared/suppressions/suppression-store';
import { categoryKey } from '#shared/table/keys';
import { contactIdOf, newWebhookId } from '#shared/tokens/resource-id';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable, storeItems } from '../../support/store-table.ts';

const table = openStoreTable();
const now = 1_750_000_000_000;

/** Ann, who is unsubscribed from everything of an organization with so many categories and one endpoint. */
async function prepare(categoryCount: number) {
  const { id, ...organization } = buildOrganization();
  const webhooks = { [newWebhookId(id)]: { eventTypes: [] } };
  await putOrganization(table, { ...organization, id, webhooks });
  const keys = Array.from(
    { length: categoryCount },
    (_, index) => `weekly-news-of-department-${1_000 + index}`,
  );
  await storeItems(
    table,
    keys.map((key) => ({ ...categoryKey(id, key), key, name: key })),
  );
  await suppressAddress(table, id, { identity: 'ann@example.com', reason: 'unsubscribe' }, 1_000);

  const reported: unknown[] = [];
  const reporting: ContactReporting = {
    ...{ table, now: () => now, sendRetentionDays: 90 },
    wakeWebhooks: async (deliveries) => {
      reported.push(...deliveries);
    },
  };
  const ann = { contactId: contactIdOf(id, 'ann@example.com'), isProven: true };
  const change = (subscribed: boolean, ...categoryKeys: readonly string[]) =>
    changePreferences(
      ann,
      categoryKeys.map((categoryKey) => ({ categoryKey, subscribed })),
      reporting,
    );
  const stored = () => getContact(table, ann.contactId);
  return { keys, reported, change, stored };
}

describe('changePreferences', () => {
  it('lifts and sets everything of an organization with 200 categories, each in one write', async () => {
    const { keys, reported, change, stored } = await prepare(200);

    const lifted = await change(true, 'weekly-news-of-department-1007');
    const all = await change(true, ...keys);

    expect(lifted.subscriptions.filter(({ subscribed }) => subscribed)).toHaveLength(1);
    expect(all.subscriptions.filter(({ subscribed }) => subscribed)).toHaveLength(200);
    expect(await stored()).not.toHaveProperty('unsubscribe');
    expect(Object.values((await stored())?.subscriptions ?? {})).toEqual(keys.map(() => true));
    // And that the suppression is gone.
    expect(reported).toHaveLength(2 + 1);
  });

  it('loses no change of several at once, and tells of each', async () => {
    const { keys, reported, change, stored } = await prepare(8);
    await change(true, ...keys);

    await Promise.all(keys.map((key) => change(false, key)));

    expect((await stored())?.subscriptions).toEqual(
      Object.fromEntries(keys.map((key) => [key, false])),
    );
    expect((await stored())?.updatedAt).toBe(now);
    expect(reported).toHaveLength(2 + keys.length);
  });

  it('tells of a change once that several ask for at once', async () => {
    const { keys, reported, change } = await prepare(1);
    await change(true, ...keys);

    await Promise.all(Array.from({ length: 8 }, () => change(false, ...keys)));

    expect(reported).toHaveLength(2 + 1);
  });
});
