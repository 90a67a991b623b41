import { describe, expect, it } from 'vitest';
import { openApiKeyStore } from '#shared/access/api-key-store';
import { newLink, newSession, withSignIn } from '#shared/access/sign-in';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { openOrganizationStore } from '#shared/organizations/organization-store';

import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { readApiKey } from '../../support/stored-api-key.ts';

const table = openStoreTable();
const apiKeyStore = openApiKeyStore(table);

async function buildStoredKey() {
  const organization = buildOrganization();
  await openOrganizationStore(table).put(organization);
  const { apiKey } = buildApiKey({ organizationId: organization.id });
  await apiKeyStore.put(apiKey);
  return apiKey;
}

describe('replaceSignIns', () => {
  it('is read with the key from then on', async () => {
    const apiKey = await buildStoredKey();
    const signIns = [newSession(apiKey, 'key', 1).signIn, newLink(apiKey, 1).signIn];

    expect(await apiKeyStore.replaceSignIns(apiKey, signIns)).toBe(true);

    expect(await readApiKey(table, apiKey.id)).toEqual({ ...apiKey, signIns });
  });

  it('lets one of many win that have read the same', async () => {
    const apiKey = await buildStoredKey();
    await apiKeyStore.replaceSignIns(apiKey, [newLink(apiKey, 1).signIn]);
    const read = await readApiKey(table, apiKey.id);
    const sessions = Array.from({ length: 5 }, () => newSession(apiKey, 'key', 1).signIn);

    const outcomes = await Promise.all(
      sessions.map((session) => apiKeyStore.replaceSignIns(read ?? apiKey, [session])),
    );

    expect(outcomes.filter((isWritten) => isWritten)).toHaveLength(1);
    const winner = sessions[outcomes.indexOf(true)];
    expect((await readApiKey(table, apiKey.id))?.signIns).toEqual([winner]);
  });

  it('writes nothing for a first session when another was first', async () => {
    const apiKey = await buildStoredKey();
    const [first, second] = [newSession(apiKey, 'key', 1), newSession(apiKey, 'key', 1)];
    await apiKeyStore.replaceSignIns(apiKey, withSignIn(undefined, first.signIn, 1));

    expect(await apiKeyStore.replaceSignIns(apiKey, [second.signIn])).toBe(false);
  });

  it('does not bring a key back that is gone', async () => {
    const { apiKey } = buildApiKey();

    expect(await apiKeyStore.replaceSignIns(apiKey, [])).toBe(false);
    expect(await readApiKey(table, apiKey.id)).toBeUndefined();
  });

  it('and a change of the key lose nothing of each other', async () => {
    const apiKey = await buildStoredKey();
    const { signIn } = newSession(apiKey, 'key', 1);
    const after = { ...apiKey, name: 'another', updatedAt: apiKey.updatedAt + 1 };
    const entry = newAuditEntry(
      buildOrganization().id,
      'operator',
      { action: 'api_key.changed', target: apiKey.id },
      1,
    );

    await apiKeyStore.replaceSignIns(apiKey, [signIn]);
    await apiKeyStore.change({ before: apiKey, after }, entry);
    await apiKeyStore.noteUse(apiKey.id, 5_000, 1_000);

    expect(await readApiKey(table, apiKey.id)).toEqual({
      ...after,
      signIns: [signIn],
      lastUsedAt: 5_000,
    });
  });
});
