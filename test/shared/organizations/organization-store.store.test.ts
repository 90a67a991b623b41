import { describe, expect, it } from 'vitest';
import { newApiKeyItem } from '#shared/access/api-key-store';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { listAuditEntries } from '#shared/audit/audit-store';
import type { Organization } from '#shared/organizations/organization';
import {
  createOrganization,
  getOrganization,
  putOrganization,
  replaceOrganization,
} from '#shared/organizations/organization-store';
import { transactWrite } from '#shared/table/writes';
import { newOrganizationId, newWebhookId, type OrganizationId } from '#shared/tokens/resource-id';
import { putSubscription } from '#shared/webhooks/webhook-store';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { readApiKey } from '../../support/stored-api-key.ts';
import { buildWebhook } from '../webhooks/webhook-builder.ts';

const table = openStoreTable();
const now = Date.UTC(2026, 10, 21);

const entryOf = (id: OrganizationId, action = 'organization.updated') =>
  newAuditEntry(id, 'operator', { action, target: id }, now);

const auditOf = async (id: OrganizationId) =>
  (await listAuditEntries(table, id, { before: undefined, limit: 10 }, now)).entries.map(
    ({ action }) => action,
  );

async function stored(overrides: Partial<Organization> = {}): Promise<Organization> {
  const organization = buildOrganization(overrides);
  await putOrganization(table, organization);
  return organization;
}

describe('an organization', () => {
  it('is read as it was stored', async () => {
    const policies = { news: { kind: 'bulk', categoryKey: 'news' } } as const;
    const organization = buildOrganization({ policies });

    await putOrganization(table, organization);

    expect(await getOrganization(table, organization.id)).toEqual(organization);
  });

  it('is stored without an identity as long as it has none', async () => {
    const { identity: _none, ...organization } = buildOrganization();

    await putOrganization(table, organization);

    expect(await getOrganization(table, organization.id)).toEqual(organization);
  });

  it('is never overwritten', async () => {
    const organization = buildOrganization();
    await putOrganization(table, organization);

    await expect(
      putOrganization(table, { ...organization, name: 'Another Ltd' }),
    ).rejects.toThrow();
    expect(await getOrganization(table, organization.id)).toEqual(organization);
  });

  it('that was never made is not there', async () => {
    expect(await getOrganization(table, newOrganizationId())).toBeUndefined();
  });
});

describe('a new organization', () => {
  it('is stored with its first key and the audit entries', async () => {
    const organization = buildOrganization();
    const { apiKey } = buildApiKey({ organizationId: organization.id });
    const entries = [entryOf(organization.id, 'one'), entryOf(organization.id, 'other')];

    await createOrganization(table, organization, entries, [newApiKeyItem(apiKey)]);

    expect(await getOrganization(table, organization.id)).toEqual(organization);
    expect(await readApiKey(table, apiKey.id)).toEqual(apiKey);
    expect((await auditOf(organization.id)).toSorted()).toEqual(['one', 'other']);
  });

  it('never replaces an existing one, or adds a key to it', async () => {
    const organization = await stored();
    const { apiKey } = buildApiKey({ organizationId: organization.id });

    const other = { ...organization, name: 'Other' };
    const outcome = await createOrganization(table, other, [], [newApiKeyItem(apiKey)]);

    expect(outcome).toBe('refused');
    expect(await getOrganization(table, organization.id)).toEqual(organization);
    expect(await readApiKey(table, apiKey.id)).toBeUndefined();
  });
});

describe('a change to an organization', () => {
  it('sets new values, removes missing ones, and is audited', async () => {
    const before = await stored({ footerText: 'Old' });
    const { footerText: _, ...rest } = before;
    const after = { ...rest, paused: true, senderName: 'Ann', updatedAt: before.updatedAt + 1 };

    expect(await replaceOrganization(table, before, after, entryOf(before.id))).toBe('stored');

    expect(await getOrganization(table, before.id)).toEqual(after);
    expect(await auditOf(before.id)).toEqual(['organization.updated']);
  });

  it('succeeds for only one of many concurrent calls, and is audited once', async () => {
    const before = await stored();
    const changes = Array.from({ length: 8 }, (_, index) => ({
      ...before,
      name: `Name ${index}`,
      updatedAt: before.updatedAt + 1,
    }));

    const outcomes = await Promise.all(
      changes.map((after) => replaceOrganization(table, before, after, entryOf(before.id))),
    );

    const made = changes[outcomes.indexOf('stored')];
    expect(outcomes).toEqual(
      changes.map((change) => (change === made ? 'stored' : 'changed_meanwhile')),
    );
    expect(await getOrganization(table, before.id)).toEqual(made);
    expect(await auditOf(before.id)).toHaveLength(1);
  });

  it('keeps a webhook that was added in between', async () => {
    const before = await stored();
    const webhook = buildWebhook({ id: newWebhookId(before.id) });
    await transactWrite(table, [putSubscription(webhook)]);

    await replaceOrganization(
      table,
      before,
      { ...before, paused: true, updatedAt: before.updatedAt + 1 },
      entryOf(before.id),
    );

    const after = await getOrganization(table, before.id);
    expect(Object.keys(after?.webhooks ?? {})).toEqual([webhook.id]);
  });
});
