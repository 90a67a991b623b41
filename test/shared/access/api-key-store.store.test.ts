import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { type ApiKey, listedForDays } from '#shared/access/api-key';
import {
  countApiKeys,
  findOtherManager,
  getApiKey,
  putApiKey,
  readApiKeyPage,
  recordKeyUse,
  recordSessionUse,
  replaceSignIns,
  storeApiKey,
  storeApiKeyChange,
} from '#shared/access/api-key-store';
import { newLink, newSession, withSignIn } from '#shared/access/sign-in';
import { type Actor, newAuditEntry } from '#shared/audit/audit-entry';
import { listAuditEntries } from '#shared/audit/audit-store';
import { getOrganization, putOrganization } from '#shared/organizations/organization-store';
import { apiKeyKey } from '#shared/table/keys';
import { newApiKeyId, newOrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { giveNothingUp } from '../../support/held-timeout.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';
import { readApiKey } from '../../support/stored-api-key.ts';

giveNothingUp();
const table = openStoreTable();
const now = 1_750_000_000_000;
const day = 86_400_000;

/** A new key of an existing organization. */
const buildOwnedKey = async (settings: Parameters<typeof buildApiKey>[0] = {}) => {
  const { apiKey } = buildApiKey(settings);
  const id = organizationIdOf(apiKey.id);
  const isThere = (await getOrganization(table, id)) !== undefined;
  if (!isThere) await putOrganization(table, buildOrganization({ id }));
  return apiKey;
};

const storeKey = async (settings: Parameters<typeof buildApiKey>[0] = {}) => {
  const apiKey = await buildOwnedKey(settings);
  await putApiKey(table, apiKey);
  return apiKey;
};

describe('an API key', () => {
  it('is read back as stored', async () => {
    const apiKey = await storeKey({ scopes: ['send_email'], perMinuteCap: 60, validUntil: 9 });

    expect(await readApiKey(table, apiKey.id)).toEqual(apiKey);
  });

  it('is read back with a scope that only a newer version knows', async () => {
    const apiKey = await storeKey({ scopes: ['send_email', 'domains_manage'] });

    expect(await readApiKey(table, apiKey.id)).toEqual(apiKey);
  });

  it("is read with its organization's limits and subscriptions, and the secret that encrypts its cursors", async () => {
    const organization = buildOrganization({ limits: { webhooks: 3 } });
    const { apiKey } = buildApiKey({ organizationId: organization.id });
    await putOrganization(table, organization);
    await putApiKey(table, apiKey);

    expect(await getApiKey(table, apiKey.id)).toEqual({
      apiKey,
      cursorSecret: organization.cursorSecret,
      limits: { webhooks: 3 },
      webhooks: {},
    });
  });

  it('is never overwritten', async () => {
    const apiKey = await storeKey();

    await expect(putApiKey(table, { ...apiKey, name: 'another' })).rejects.toThrow();
    expect(await readApiKey(table, apiKey.id)).toEqual(apiKey);
  });

  it('is marked as used once when used concurrently', async () => {
    const apiKey = await storeKey();

    await Promise.all(
      [5_000, 5_001, 5_002].map((now) => recordKeyUse(table, apiKey.id, now, 1_000)),
    );

    const lastUsedAt = (await readApiKey(table, apiKey.id))?.lastUsedAt;
    expect([5_000, 5_001, 5_002]).toContain(lastUsedAt);
    await recordKeyUse(table, apiKey.id, 9_000, lastUsedAt ?? 0);
    expect(await readApiKey(table, apiKey.id)).toEqual({ ...apiKey, lastUsedAt: 9_000 });
  });

  it("isn't recreated when its use is recorded", async () => {
    const id = newApiKeyId(newOrganizationId());

    await recordKeyUse(table, id, 5_000, 1_000);

    expect(await readApiKey(table, id)).toBeUndefined();
  });

  it("is invalid when its organization doesn't exist", async () => {
    const { apiKey } = buildApiKey();
    await putApiKey(table, apiKey);

    expect(await readApiKey(table, apiKey.id)).toBeUndefined();
  });
});

describe('the number of keys', () => {
  it('counts valid keys, and separately all listed ones', async () => {
    const organizationId = newOrganizationId();
    await storeKey({ organizationId });
    await storeKey({ organizationId, validUntil: now + 1 });
    await storeKey({ organizationId, validUntil: now });
    await storeKey({ organizationId, revokedAt: now - 1 });
    await storeKey();

    expect(await countApiKeys(table, organizationId, now, 100)).toEqual({ valid: 2, listed: 4 });
  });
});

const entryOf = (apiKey: ApiKey, actor: Actor = apiKey.id) =>
  newAuditEntry(
    organizationIdOf(apiKey.id),
    actor,
    { action: 'api_key.updated', target: apiKey.id },
    now,
  );

const entriesOf = async (apiKey: ApiKey) => {
  const range = { before: undefined, limit: 10 };
  return (await listAuditEntries(table, organizationIdOf(apiKey.id), range, now)).entries;
};

const later = (apiKey: ApiKey, changes: Partial<ApiKey> = {}): ApiKey => ({
  ...apiKey,
  ...changes,
  updatedAt: apiKey.updatedAt + 1,
});

const pageOf = (apiKey: ApiKey, at: number) =>
  readApiKeyPage(table, organizationIdOf(apiKey.id), { before: undefined, limit: 10 }, at);

describe('a new key', () => {
  it('is stored with its audit entry, and listed', async () => {
    const apiKey = await buildOwnedKey({ perMinuteCap: 60 });
    const entry = entryOf(apiKey);

    await storeApiKey(table, apiKey, entry);

    expect(await readApiKey(table, apiKey.id)).toEqual(apiKey);
    expect(await entriesOf(apiKey)).toEqual([entry]);
    expect(await pageOf(apiKey, now)).toEqual({ apiKeys: [apiKey], next: undefined });
  });
});

describe('a change to a key', () => {
  it('is stored with its audit entry', async () => {
    const before = await storeKey({ perMinuteCap: 60, validUntil: now + 5 });
    const { perMinuteCap: _cap, validUntil: _end, ...kept } = before;
    const after = later({ ...kept, name: 'new' }, { scopes: ['read_sends'] });
    const entry = entryOf(after);

    expect(await storeApiKeyChange(table, { before, after }, entry)).toBe('stored');

    expect(await readApiKey(table, before.id)).toEqual(after);
    expect(await entriesOf(before)).toEqual([entry]);
  });

  it('keeps a use recorded in between', async () => {
    const before = await storeKey();
    await recordKeyUse(table, before.id, now, now - 1);

    await storeApiKeyChange(
      table,
      { before, after: later(before, { name: 'new' }) },
      entryOf(before),
    );

    expect(await readApiKey(table, before.id)).toMatchObject({ name: 'new', lastUsedAt: now });
  });

  it('succeeds for only one of several concurrent calls, and leaves one entry', async () => {
    const before = await storeKey();
    const names = ['a', 'b', 'c', 'd'];

    const outcomes = await Promise.all(
      names.map((name) =>
        storeApiKeyChange(table, { before, after: later(before, { name }) }, entryOf(before)),
      ),
    );

    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(1);
    expect(await entriesOf(before)).toHaveLength(1);
  });

  it('stores only one of two successors of a rotated key', async () => {
    const before = await storeKey();
    const organizationId = organizationIdOf(before.id);
    const successors = [buildApiKey({ organizationId }), buildApiKey({ organizationId })];

    const outcomes = await Promise.all(
      successors.map(({ apiKey: successor }) => {
        const after = later(before, { validUntil: now, replacedBy: successor.id });
        return storeApiKeyChange(table, { before, after, successor }, entryOf(before));
      }),
    );

    const stored = successors.filter((_, index) => outcomes[index] === 'stored');
    const keys = await Promise.all(successors.map(({ apiKey }) => readApiKey(table, apiKey.id)));
    expect(stored).toHaveLength(1);
    expect(keys.filter((key) => key !== undefined)).toEqual(stored.map(({ apiKey }) => apiKey));
    expect(await readApiKey(table, before.id)).toMatchObject({ replacedBy: stored[0]?.apiKey.id });
  });

  it('keeps showing an ended key while its emails may wait, then deletes it', async () => {
    const before = await storeKey();
    const after = later(before, { revokedAt: now });
    await storeApiKeyChange(table, { before, after }, entryOf(before));

    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: apiKeyKey(before.id) }),
    );

    expect(Item?.['expiresAt']).toBe((now + listedForDays * day) / 1_000);
    expect((await pageOf(before, now + listedForDays * day - 1_000)).apiKeys).toEqual([after]);
    expect((await pageOf(before, now + listedForDays * day)).apiKeys).toEqual([]);
  });

  it('keeps a key again when its end is removed', async () => {
    const before = await storeKey({ validUntil: now - 1 });
    const { validUntil: _end, ...endless } = later(before);

    await storeApiKeyChange(table, { before, after: endless }, entryOf(before));

    expect((await pageOf(before, now + 300 * day)).apiKeys).toEqual([endless]);
  });
});

describe('another manager', () => {
  const manager = { scopes: ['manage_organization' as const] };

  it('is an active key with the scope, in the same organization', async () => {
    const organizationId = newOrganizationId();
    const asked = await storeKey({ organizationId, ...manager });
    await storeKey({ organizationId, scopes: ['read_sends'] });
    await storeKey({ organizationId, ...manager, revokedAt: now - 1 });
    await storeKey({ organizationId, ...manager, validUntil: now });
    await storeKey(manager);

    const alone = await findOtherManager(table, organizationId, asked.id, now);
    const other = await storeKey({ organizationId, ...manager, validUntil: now + 1 });
    const found = await findOtherManager(table, organizationId, asked.id, now);

    expect(alone).toBeUndefined();
    expect(found).toBe(other.id);
  });

  it('remains when two revoke each other at the same moment', async () => {
    const organizationId = newOrganizationId();
    const keys = [
      await storeKey({ organizationId, ...manager }),
      await storeKey({ organizationId, ...manager }),
    ] as const;
    const [one, other] = keys;
    const revoke = (before: ApiKey, witness: ApiKey) =>
      storeApiKeyChange(
        table,
        { before, after: later(before, { revokedAt: now }), witness: { id: witness.id, now } },
        entryOf(before, witness.id),
      );

    const outcomes = await Promise.all([revoke(one, other), revoke(other, one)]);

    const revoked = (await Promise.all(keys.map(({ id }) => readApiKey(table, id)))).filter(
      (apiKey) => apiKey?.revokedAt !== undefined,
    );
    expect(outcomes.toSorted()).toEqual(['changed_meanwhile', 'stored']);
    expect(revoked).toHaveLength(1);
    expect(await entriesOf(one)).toHaveLength(1);
  });
});

describe("an organization's keys", () => {
  it('are listed newest first, in pages, each once', async () => {
    const organizationId = newOrganizationId();
    const oldest = await storeKey({ organizationId, createdAt: now });
    const newest = await storeKey({ organizationId, createdAt: now + 2 });
    const middle = await storeKey({ organizationId, createdAt: now + 1 });
    await storeKey();

    const first = await readApiKeyPage(table, organizationId, { before: undefined, limit: 2 }, now);
    const rest = await readApiKeyPage(table, organizationId, { before: first.next, limit: 2 }, now);

    expect(first.apiKeys).toEqual([newest, middle]);
    expect(rest).toEqual({ apiKeys: [oldest], next: undefined });
  });
});

describe('recordSessionUse', () => {
  it('is read with the key afterwards, and counts as a use of it', async () => {
    const apiKey = await storeKey();

    await recordSessionUse(table, apiKey, { aaaaaaaa: 1_000 }, 1_000);
    const first = await readApiKey(table, apiKey.id);
    await recordSessionUse(table, first ?? apiKey, { bbbbbbbb: 2_000 }, 2_000);

    expect(first).toEqual({ ...apiKey, lastUsedAt: 1_000, sessionsUsedAt: { aaaaaaaa: 1_000 } });
    expect(await readApiKey(table, apiKey.id)).toMatchObject({
      lastUsedAt: 2_000,
      sessionsUsedAt: { bbbbbbbb: 2_000 },
    });
  });

  it('records only one of many uses based on the same read', async () => {
    const apiKey = await storeKey();
    const names = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc'];

    await Promise.all(
      names.map((name) => recordSessionUse(table, apiKey, { [name]: 1_000 }, 1_000)),
    );
    const noted = (await readApiKey(table, apiKey.id))?.sessionsUsedAt;
    await recordSessionUse(table, apiKey, { dddddddd: 2_000 }, 2_000);

    expect(Object.keys(noted ?? {})).toHaveLength(1);
    expect((await readApiKey(table, apiKey.id))?.sessionsUsedAt).toEqual(noted);
  });

  it("doesn't recreate a deleted key", async () => {
    const { apiKey } = buildApiKey();

    await recordSessionUse(table, apiKey, { aaaaaaaa: 1_000 }, 1_000);

    expect(await readApiKey(table, apiKey.id)).toBeUndefined();
  });
});

describe('replaceSignIns', () => {
  it('is read with the key afterwards', async () => {
    const apiKey = await storeKey();
    const signIns = [newSession(apiKey, { by: 'key' }, 1).signIn, newLink(apiKey, 1).signIn];

    expect(await replaceSignIns(table, apiKey, signIns)).toBe(true);

    expect(await readApiKey(table, apiKey.id)).toEqual({ ...apiKey, signIns });
  });

  it('succeeds for only one of many calls based on the same read', async () => {
    const apiKey = await storeKey();
    await replaceSignIns(table, apiKey, [newLink(apiKey, 1).signIn]);
    const read = await readApiKey(table, apiKey.id);
    const sessions = Array.from({ length: 5 }, () => newSession(apiKey, { by: 'key' }, 1).signIn);

    const outcomes = await Promise.all(
      sessions.map((session) => replaceSignIns(table, read ?? apiKey, [session])),
    );

    expect(outcomes.filter((isWritten) => isWritten)).toHaveLength(1);
    const winner = sessions[outcomes.indexOf(true)];
    expect((await readApiKey(table, apiKey.id))?.signIns).toEqual([winner]);
  });

  it('writes nothing for a first session when another was faster', async () => {
    const apiKey = await storeKey();
    const [first, second] = [
      newSession(apiKey, { by: 'key' }, 1),
      newSession(apiKey, { by: 'key' }, 1),
    ];
    await replaceSignIns(table, apiKey, withSignIn(undefined, first.signIn, 1));

    expect(await replaceSignIns(table, apiKey, [second.signIn])).toBe(false);
  });

  it("doesn't recreate a deleted key", async () => {
    const { apiKey } = buildApiKey();

    expect(await replaceSignIns(table, apiKey, [])).toBe(false);
    expect(await readApiKey(table, apiKey.id)).toBeUndefined();
  });

  it('and a concurrent change to the key both take effect', async () => {
    const apiKey = await storeKey();
    const { signIn } = newSession(apiKey, { by: 'key' }, 1);
    const after = later(apiKey, { name: 'another' });

    await replaceSignIns(table, apiKey, [signIn]);
    await storeApiKeyChange(table, { before: apiKey, after }, entryOf(apiKey));
    await recordKeyUse(table, apiKey.id, 5_000, 1_000);

    expect(await readApiKey(table, apiKey.id)).toEqual({
      ...after,
      signIns: [signIn],
      lastUsedAt: 5_000,
    });
  });
});
