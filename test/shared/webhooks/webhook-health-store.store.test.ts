import { describe, expect, it } from 'vitest';
import { putOrganization } from '#shared/organizations/organization-store';

import { newWebhookId } from '#shared/tokens/resource-id';
import { longestWindowMs } from '#shared/webhooks/endpoint-health';
import type { Webhook } from '#shared/webhooks/webhook';
import {
  noteDelivered,
  noteExhausted,
  noteFailing,
  noteWorking,
} from '#shared/webhooks/webhook-health-store';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  replaceWebhook,
} from '#shared/webhooks/webhook-store';
import { anyEntry } from '../../support/audit-entry-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { buildWebhook, webhookNow as now } from './webhook-builder.ts';

const table = openStoreTable();

async function storeWebhook(overrides: Partial<Webhook> = {}) {
  const organization = buildOrganization();
  await putOrganization(table, organization);
  const webhook = buildWebhook({ id: newWebhookId(organization.id), ...overrides });
  await createWebhook(table, webhook, anyEntry());
  return webhook;
}

const healthOf = async ({ id }: Webhook) => (await getWebhook(table, id))?.health;
const several = (count: number) => Array.from({ length: count });

describe('an exhausted delivery', () => {
  it('begins a window and is counted in it, and changes nothing else', async () => {
    const webhook = await storeWebhook();

    const first = await noteExhausted(table, webhook.id, now);
    const second = await noteExhausted(table, webhook.id, now + 1);

    expect(first).toEqual({ since: now, exhausted: 1, delivered: 0 });
    expect(second).toEqual({ since: now, exhausted: 2, delivered: 0 });
    expect(await getWebhook(table, webhook.id)).toEqual({ ...webhook, health: second });
  });

  it('counts once for each of many at the same moment, also the first of all', async () => {
    const webhook = await storeWebhook();

    await Promise.all(several(12).map(() => noteExhausted(table, webhook.id, now)));

    expect(await healthOf(webhook)).toEqual({ since: now, exhausted: 12, delivered: 0 });
  });

  it('begins another window when the last one is over', async () => {
    const health = { since: now - longestWindowMs, exhausted: 9, delivered: 3 };
    const webhook = await storeWebhook({ health });

    expect(await noteExhausted(table, webhook.id, now - 1)).toMatchObject({
      exhausted: 10,
    });
    expect(await noteExhausted(table, webhook.id, now)).toEqual({
      since: now,
      exhausted: 1,
      delivered: 0,
    });
  });

  it('does not bring back a webhook that was deleted', async () => {
    const webhook = await storeWebhook();
    await deleteWebhook(table, webhook.id, anyEntry());

    expect(await noteExhausted(table, webhook.id, now)).toBe('deleted');
    expect(await getWebhook(table, webhook.id)).toBeUndefined();
  });

  it('is not lost by a change of the version that was read before it', async () => {
    const webhook = await storeWebhook();
    await noteExhausted(table, webhook.id, now);

    const change = { description: 'invoices', updatedAt: webhook.updatedAt + 1 };
    await replaceWebhook(table, webhook, { ...webhook, ...change });

    expect(await healthOf(webhook)).toMatchObject({ exhausted: 1 });
  });
});

describe('a delivery that succeeds', () => {
  it('ends the window when as many have succeeded as were exhausted', async () => {
    const health = { since: now, exhausted: 2, delivered: 0 };
    const webhook = await storeWebhook({ health });

    await noteDelivered(table, webhook.id, health);
    const counted = await healthOf(webhook);
    await noteDelivered(table, webhook.id, { ...health, delivered: 1 });

    expect(counted).toEqual({ ...health, delivered: 1 });
    expect(await getWebhook(table, webhook.id)).not.toHaveProperty('health');
  });

  it('is counted in a window that grew since it was read, and does not end it', async () => {
    const health = { since: now, exhausted: 1, delivered: 0 };
    const webhook = await storeWebhook({ health: { ...health, exhausted: 5 } });

    await noteDelivered(table, webhook.id, health);

    expect(await healthOf(webhook)).toEqual({ since: now, exhausted: 5, delivered: 1 });
  });

  it('is not counted in a later window than the one that was read', async () => {
    const later = { since: now + 1, exhausted: 1, delivered: 0 };
    const webhook = await storeWebhook({ health: later });

    await noteDelivered(table, webhook.id, { since: now, exhausted: 1, delivered: 0 });
    await noteDelivered(table, webhook.id, { since: now, exhausted: 4, delivered: 0 });

    expect(await healthOf(webhook)).toEqual(later);
  });

  it('does not bring back a webhook that was deleted', async () => {
    const webhook = await storeWebhook();
    await deleteWebhook(table, webhook.id, anyEntry());

    await noteDelivered(table, webhook.id, { since: now, exhausted: 1, delivered: 0 });

    expect(await getWebhook(table, webhook.id)).toBeUndefined();
  });
});

describe('a failing endpoint', () => {
  const failingSinceOf = async ({ id }: Webhook) => (await getWebhook(table, id))?.failingSince;

  it('is failing since its first failed attempt, until one succeeds', async () => {
    const webhook = await storeWebhook();

    await Promise.all(several(8).map(() => noteFailing(table, webhook, now)));
    await noteFailing(table, webhook, now + 1);
    expect(await failingSinceOf(webhook)).toBe(now);
    await noteWorking(table, webhook.id, now);
    await noteWorking(table, webhook.id, now);

    expect(await getWebhook(table, webhook.id)).toEqual(webhook);
  });

  it('goes on failing when a success was read before the failure', async () => {
    const webhook = await storeWebhook();
    await noteFailing(table, webhook, now + 1);

    await noteWorking(table, webhook.id, now);

    expect(await failingSinceOf(webhook)).toBe(now + 1);
  });

  it('is not blamed for what failed at the address it had before', async () => {
    const webhook = await storeWebhook();
    const moved = { ...webhook, url: 'https://new.example.com/', updatedAt: webhook.updatedAt + 1 };
    await replaceWebhook(table, webhook, moved);

    await noteFailing(table, webhook, now);

    expect(await getWebhook(table, webhook.id)).toEqual(moved);
  });

  it('starts afresh when a change drops its failures', async () => {
    const webhook = await storeWebhook();
    await noteFailing(table, webhook, now);
    const failing = { ...webhook, failingSince: now };

    await replaceWebhook(table, failing, { ...webhook, updatedAt: now + 5 });

    expect(await failingSinceOf(webhook)).toBeUndefined();
  });
});
