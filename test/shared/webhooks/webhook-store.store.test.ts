import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { getOrganization, putOrganization } from '#shared/organizations/organization-store';
import { webhookKey } from '#shared/table/keys';
import {
  newOrganizationId,
  newTemplateId,
  newWebhookId,
  type OrganizationId,
  type WebhookId,
} from '#shared/tokens/resource-id';
import { isSlow } from '#shared/webhooks/slow-answers';
import { maxWebhooks, type Webhook } from '#shared/webhooks/webhook';
import { noteSlowness } from '#shared/webhooks/webhook-health-store';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  replaceWebhook,
} from '#shared/webhooks/webhook-store';
import { anyEntry } from '../../support/audit-entry-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable, storeItems } from '../../support/store-table.ts';
import { buildSecret, buildWebhook, webhookNow as now } from './webhook-builder.ts';

const table = openStoreTable();
const putNew = (webhook: Webhook) => createWebhook(table, webhook, anyEntry());
const remove = ({ id }: Webhook) => deleteWebhook(table, id, anyEntry());

async function storeOrganization(): Promise<OrganizationId> {
  const organization = buildOrganization();
  await putOrganization(table, organization);
  return organization.id;
}

const buildIn = (organizationId: OrganizationId, overrides: Partial<Webhook> = {}) =>
  buildWebhook({ id: newWebhookId(organizationId), ...overrides });

/** Stores a webhook in an organization of its own. */
async function storeWebhook(overrides: Partial<Webhook> = {}) {
  const organizationId = await storeOrganization();
  const webhook = buildIn(organizationId, overrides);
  await putNew(webhook);
  return { organizationId, webhook };
}

/** Stores an organization with so many webhooks, all alike. */
async function storeMany(count: number, overrides: Partial<Webhook> = {}) {
  const organizationId = newOrganizationId();
  const webhooks = Array.from({ length: count }, () => buildIn(organizationId, overrides));
  const subscribed = webhooks.filter(({ disabled: off }) => off === undefined);
  const subscriptions = subscribed.map(({ id, eventTypes }) => [id, { eventTypes }]);
  await storeItems(
    table,
    webhooks.map((webhook) => ({ ...webhookKey(webhook.id), ...webhook })),
  );
  await putOrganization(
    table,
    buildOrganization({ id: organizationId, webhooks: Object.fromEntries(subscriptions) }),
  );
  const [webhook = buildWebhook()] = webhooks;
  return { organizationId, webhook };
}

const subscriptionsOf = async (organizationId: OrganizationId) =>
  (await getOrganization(table, organizationId))?.webhooks;

const disabled = { reason: 'by_owner', at: now } as const;

/** The same webhook, changed later. */
const later = (webhook: Webhook, changes: Partial<Webhook> = {}): Webhook => ({
  ...webhook,
  ...changes,
  updatedAt: webhook.updatedAt + 1,
});

describe('a new webhook', () => {
  it('is read as it was stored', async () => {
    const { webhook } = await storeWebhook({
      eventTypes: ['email.bounced'],
      description: 'orders',
      previousSecrets: [{ secret: buildSecret('b'), expiresAt: now }],
      health: { since: now, exhausted: 2, delivered: 1 },
    });

    expect(await getWebhook(table, webhook.id)).toEqual(webhook);
  });

  it('is read with a type of events that only a newer version has', async () => {
    const { webhook } = await storeWebhook({ eventTypes: ['email.sent', 'email.read'] });

    expect(await getWebhook(table, webhook.id)).toEqual(webhook);
  });

  it('is subscribed to the types that it wants, on its organization', async () => {
    const { organizationId, webhook } = await storeWebhook({ eventTypes: ['email.bounced'] });

    expect(await subscriptionsOf(organizationId)).toEqual({
      [webhook.id]: { eventTypes: ['email.bounced'] },
    });
  });

  it('in Resend’s form with types of a newer version alone is not subscribed to all', async () => {
    const { organizationId, webhook } = await storeWebhook({
      format: 'resend',
      eventTypes: ['email.read'],
    });

    expect(await subscriptionsOf(organizationId)).toEqual({
      [webhook.id]: { format: 'resend', eventTypes: ['email.read'] },
    });
  });

  it('has its filters on its organization', async () => {
    const organizationId = await storeOrganization();
    const filters = { tags: ['kind:reset'], templates: [newTemplateId(organizationId)] };
    const webhook = buildIn(organizationId, filters);
    await putNew(webhook);

    expect(await subscriptionsOf(organizationId)).toEqual({
      [webhook.id]: { eventTypes: [], ...filters },
    });
    expect(await getWebhook(table, webhook.id)).toEqual(webhook);
  });

  it('is refused when the organization has the most subscriptions that it may have', async () => {
    const { organizationId } = await storeMany(maxWebhooks);

    expect(await putNew(buildIn(organizationId))).toBe('too_many');
    expect(await listWebhooks(table, organizationId)).toHaveLength(maxWebhooks);
  });

  it('is never one too many, however many are created at the same moment', async () => {
    const { organizationId } = await storeMany(maxWebhooks - 2);

    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => putNew(buildIn(organizationId))),
    );

    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(2);
    expect(await listWebhooks(table, organizationId)).toHaveLength(maxWebhooks);
  });

  it('takes no place in another organization', async () => {
    const { webhook } = await storeWebhook();

    const other = await storeOrganization();

    expect(await listWebhooks(table, other)).toEqual([]);
    expect(await subscriptionsOf(other)).not.toHaveProperty(webhook.id);
  });
});

describe('the webhooks of an organization', () => {
  it('are listed oldest first', async () => {
    const organizationId = await storeOrganization();
    const createdAt = [3, 1, 2];
    for (const at of createdAt) {
      await putNew(buildIn(organizationId, { createdAt: at }));
    }

    const listed = await listWebhooks(table, organizationId);

    expect(listed.map((webhook) => webhook.createdAt)).toEqual([1, 2, 3]);
  });

  it('are an empty list when there are none, and an unknown webhook is not found', async () => {
    const organizationId = newOrganizationId();

    expect(await listWebhooks(table, organizationId)).toEqual([]);
    expect(await getWebhook(table, newWebhookId(organizationId))).toBeUndefined();
  });
});

describe('a change', () => {
  it('replaces the webhook and its subscription', async () => {
    const { organizationId, webhook } = await storeWebhook();
    const changed = later(webhook, {
      url: 'https://other.example.com/',
      eventTypes: ['email.sent'],
      tags: ['kind:reset'],
      description: 'invoices',
      secret: buildSecret('c'),
      previousSecrets: [{ secret: webhook.secret, expiresAt: now }],
    });

    expect(await replaceWebhook(table, webhook, changed)).toBe('stored');

    expect(await getWebhook(table, webhook.id)).toEqual(changed);
    expect(await subscriptionsOf(organizationId)).toEqual({
      [webhook.id]: { eventTypes: ['email.sent'], tags: ['kind:reset'] },
    });
  });

  it('sets and removes its pause and its number of attempts', async () => {
    const { webhook } = await storeWebhook();
    const paused = later(webhook, { pausedAt: now, maxAttempts: 12 });
    const resumed = later({ ...webhook, updatedAt: paused.updatedAt });

    await replaceWebhook(table, webhook, paused);
    const stored = await getWebhook(table, webhook.id);
    await replaceWebhook(table, paused, resumed);

    expect(stored).toEqual(paused);
    expect(await getWebhook(table, webhook.id)).toEqual(resumed);
  });

  it('that disables the webhook removes its subscription, and one that enables it restores it', async () => {
    const { organizationId, webhook } = await storeWebhook({ eventTypes: ['email.sent'] });
    const off = later(webhook, { disabled });
    const on = later({ ...webhook, updatedAt: off.updatedAt });

    await replaceWebhook(table, webhook, off);
    const whileOff = await subscriptionsOf(organizationId);
    const stored = await getWebhook(table, webhook.id);
    await replaceWebhook(table, off, on);

    expect(whileOff).toEqual({});
    expect(stored).toEqual(off);
    expect(await getWebhook(table, webhook.id)).toEqual(on);
    expect(await subscriptionsOf(organizationId)).toEqual({
      [webhook.id]: { eventTypes: ['email.sent'] },
    });
  });

  it.each<[string, Partial<Webhook>]>([
    ['disables the webhook', { disabled }],
    ['enables the webhook', {}],
  ])('that %s changes nothing when its organization was deleted', async (_what, change) => {
    const webhook = buildIn(newOrganizationId());
    await table.client.send(
      new PutCommand({ TableName: table.name, Item: { ...webhookKey(webhook.id), ...webhook } }),
    );

    const outcome = await replaceWebhook(table, webhook, later(webhook, change));

    expect(outcome).not.toBe('stored');
    expect(await getWebhook(table, webhook.id)).toEqual(webhook);
  });

  it('is refused when another request changed the same version', async () => {
    const { webhook } = await storeWebhook();
    const first = later(webhook, { description: 'first' });
    await replaceWebhook(table, webhook, first);

    const outcome = await replaceWebhook(table, webhook, later(webhook, { description: 'second' }));

    expect(outcome).toBe('changed_meanwhile');
    expect(await getWebhook(table, webhook.id)).toEqual(first);
  });

  it('succeeds once of several at the same moment', async () => {
    const { webhook } = await storeWebhook();

    const outcomes = await Promise.all(
      ['a', 'b', 'c', 'd'].map((description) =>
        replaceWebhook(table, webhook, later(webhook, { description })),
      ),
    );

    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(1);
  });

  it('does not bring back a webhook that was deleted', async () => {
    const { organizationId, webhook } = await storeWebhook();
    await remove(webhook);

    const outcome = await replaceWebhook(table, webhook, later(webhook));

    expect(outcome).toBe('changed_meanwhile');
    expect(await getWebhook(table, webhook.id)).toBeUndefined();
    expect(await subscriptionsOf(organizationId)).toEqual({});
  });

  it('is possible when the organization has the most webhooks that it may have', async () => {
    const { webhook } = await storeMany(maxWebhooks);

    expect(await replaceWebhook(table, webhook, later(webhook))).toBe('stored');
  });
});

describe('the count of slow answers', () => {
  const note = async (id: WebhookId, times: number, now: number) => {
    for (let count = 0; count < times; count += 1) await noteSlowness(table, id, now);
    const stored = await getWebhook(table, id);
    return stored !== undefined && isSlow(stored, now);
  };

  it('makes an endpoint slow with the eleventh within a minute', async () => {
    const { webhook } = await storeWebhook();
    const { webhook: other } = await storeWebhook();

    expect(await note(webhook.id, 10, now)).toBe(false);
    expect(await note(webhook.id, 1, now)).toBe(true);
    expect(await getWebhook(table, other.id)).not.toHaveProperty('slowUntil');
  });

  it('forgets one every six seconds', async () => {
    const { webhook } = await storeWebhook();
    await note(webhook.id, 10, now);

    expect(await note(webhook.id, 1, now + 6_000)).toBe(false);
    expect(await note(webhook.id, 1, now + 6_000)).toBe(true);
    expect(await note(webhook.id, 10, now + 90_000)).toBe(false);
  });

  it('counts every answer when many come at the same moment', async () => {
    const { webhook } = await storeWebhook();

    await Promise.all(Array.from({ length: 15 }, () => noteSlowness(table, webhook.id, now)));

    // Ten are allowed; each of the others makes it slow for six seconds.
    expect(await getWebhook(table, webhook.id)).toMatchObject({
      slowUntil: now + 5 * 6_000,
    });
  });

  it('makes an endpoint slow for two minutes at most, however many there are', async () => {
    const { webhook } = await storeWebhook();

    await Promise.all(Array.from({ length: 60 }, () => noteSlowness(table, webhook.id, now)));

    expect(await getWebhook(table, webhook.id)).toMatchObject({
      slowUntil: now + 120_000,
    });
  });

  it('survives changes of the webhook', async () => {
    const { webhook } = await storeWebhook();
    await noteSlowness(table, webhook.id, now);

    await replaceWebhook(table, webhook, later(webhook, { description: 'invoices' }));

    const stored = await getWebhook(table, webhook.id);
    expect(stored).toMatchObject({ description: 'invoices', slowUntil: now - 54_000 });
  });

  it('does not bring back a webhook that was deleted', async () => {
    const { webhook } = await storeWebhook();
    await remove(webhook);

    await noteSlowness(table, webhook.id, now);

    expect(await getWebhook(table, webhook.id)).toBeUndefined();
  });
});

describe('the notes on a webhook', () => {
  it('are removed by a change that clears them', async () => {
    const health = { since: 1_000, exhausted: 1, delivered: 0 };
    const { webhook } = await storeWebhook({ health, slowUntil: 2_000 });
    const { health: _health, slowUntil: _slow, ...cleared } = later(webhook);

    await replaceWebhook(table, webhook, cleared);

    expect(await getWebhook(table, webhook.id)).toEqual(cleared);
  });
});

describe('a deleted webhook', () => {
  it('is gone, with its subscription', async () => {
    const { organizationId, webhook } = await storeWebhook();

    expect(await remove(webhook)).toBe('deleted');

    expect(await getWebhook(table, webhook.id)).toBeUndefined();
    expect(await subscriptionsOf(organizationId)).toEqual({});
  });

  it('makes room for another', async () => {
    const { organizationId, webhook } = await storeMany(maxWebhooks);

    await remove(webhook);

    expect(await putNew(buildIn(organizationId))).toBe('stored');
  });

  it('is unknown when it is deleted again', async () => {
    const { webhook } = await storeWebhook();
    await remove(webhook);

    expect(await remove(webhook)).toBe('unknown');
  });
});
