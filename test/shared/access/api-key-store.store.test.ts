import { describe, expect, it } from 'vitest';
import { openApiKeyStore } from '#shared/access/api-key-store';
import { openOrganizationStore } from '#shared/organizations/organization-store';

import { newApiKeyId, newOrganizationId } from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { readApiKey } from '../../support/stored-api-key.ts';

const table = openStoreTable();
const organizationStore = openOrganizationStore(table);
const apiKeyStore = openApiKeyStore(table);

/** A key of an organization that is there. */
async function buildOwnedKey(
  fields: Omit<Parameters<typeof buildApiKey>[0], 'organizationId'> = {},
) {
  const organization = buildOrganization();
  await organizationStore.put(organization);
  return buildApiKey({ ...fields, organizationId: organization.id });
}

describe('an API key', () => {
  it('is read as it was stored', async () => {
    const { apiKey } = await buildOwnedKey({
      scopes: ['send_email'],
      perMinuteCap: 60,
      validUntil: 9,
    });

    await apiKeyStore.put(apiKey);

    expect(await readApiKey(table, apiKey.id)).toEqual(apiKey);
  });

  it("is read with its organization's limits and subscriptions, and the secret that seals its cursors", async () => {
    const organization = buildOrganization({ limits: { webhooks: 3 } });
    const { apiKey } = buildApiKey({ organizationId: organization.id });
    await organizationStore.put(organization);
    await apiKeyStore.put(apiKey);

    expect(await apiKeyStore.get(apiKey.id)).toEqual({
      apiKey,
      cursorSecret: organization.cursorSecret,
      limits: { webhooks: 3 },
      webhooks: {},
    });
  });

  it('is never overwritten', async () => {
    const { apiKey } = await buildOwnedKey();
    await apiKeyStore.put(apiKey);

    await expect(apiKeyStore.put({ ...apiKey, name: 'another' })).rejects.toThrow();
    expect(await readApiKey(table, apiKey.id)).toEqual(apiKey);
  });

  it('is noted as used, once for all that use it at the same moment', async () => {
    const { apiKey } = await buildOwnedKey();
    await apiKeyStore.put(apiKey);

    await Promise.all(
      [5_000, 5_001, 5_002].map((now) => apiKeyStore.noteUse(apiKey.id, now, 1_000)),
    );

    const lastUsedAt = (await readApiKey(table, apiKey.id))?.lastUsedAt;
    expect([5_000, 5_001, 5_002]).toContain(lastUsedAt);
    await apiKeyStore.noteUse(apiKey.id, 9_000, lastUsedAt ?? 0);
    expect(await readApiKey(table, apiKey.id)).toEqual({ ...apiKey, lastUsedAt: 9_000 });
  });

  it('does not come back by the note of a use', async () => {
    const id = newApiKeyId(newOrganizationId());

    await apiKeyStore.noteUse(id, 5_000, 1_000);

    expect(await readApiKey(table, id)).toBeUndefined();
  });

  it('of an organization that is not there is no key', async () => {
    const { apiKey } = buildApiKey();
    await apiKeyStore.put(apiKey);

    expect(await readApiKey(table, apiKey.id)).toBeUndefined();
  });

  it('that was never made is not there', async () => {
    expect(await readApiKey(table, newApiKeyId(newOrganizationId()))).toBeUndefined();
  });
});
