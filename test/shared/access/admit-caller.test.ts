import { describe, expect, it } from 'vitest';
import { admitCaller, organizationOf } from '#shared/access/admit-caller';
import { invalidApiKey } from '#shared/access/api-key';
import { openApiKeyStore } from '#shared/access/api-key-store';
import { putOrganization } from '#shared/organizations/organization-store';
import { openAccount } from '../../support/account.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { keyedOrganization, otherDigestKey, useDigestKey } from '../../support/digest-key.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const now = 1_750_000_000_000;

describe('admitCaller', () => {
  it('returns the key, its organization and the name for the audit', async () => {
    const manager = buildManager();

    expect(await admitCaller(manager.credential, manager)).toEqual(manager.caller);
  });
});

describe("admitCaller, with a digest key that doesn't match the deployment's contacts", () => {
  async function prepare() {
    const organization = keyedOrganization();
    const { table } = openMemoryTable();
    const { text, apiKey } = buildApiKey({ organizationId: organization.id });
    await putOrganization(table, organization);
    await openApiKeyStore(table).put(apiKey);
    const authentication = { now: () => now, apiKeys: openApiKeyStore(table) };
    return { admit: (credential = text) => admitCaller(credential, authentication), apiKey };
  }

  it.each([undefined, otherDigestKey])(
    'refuses everyone, as no contact or suppression would be found: %s',
    async (key) => {
      const { admit, apiKey } = await prepare();

      const before = await admit();
      useDigestKey(key);
      const error = await serviceErrorOf(admit);

      expect(before.apiKey.id).toBe(apiKey.id);
      expect(error.code).toBe('contact_digest_mismatch');
    },
  );

  it("doesn't report that to a caller without a valid key", async () => {
    const { admit } = await prepare();
    useDigestKey(otherDigestKey);

    const error = await serviceErrorOf(() => admit(buildApiKey().text));

    expect(error.code).toBe('invalid_api_key');
  });
});

describe('organizationOf', () => {
  it("reads the caller's organization", async () => {
    const { table, caller, organization } = await openAccount();

    expect(await organizationOf(table, caller)).toEqual(organization);
  });

  it('treats the key of a just-deleted organization as unknown', async () => {
    const { table } = openMemoryTable();
    const { caller } = buildManager();

    expect(await serviceErrorOf(() => organizationOf(table, caller))).toEqual(invalidApiKey());
  });
});
