import { describe, expect, it } from 'vitest';
import { admitCaller, organizationOf } from '#shared/access/admit-caller';
import { invalidApiKey } from '#shared/access/api-key';
import { openApiKeyStore } from '#shared/access/api-key-store';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { keyedOrganization, otherDigestKey, useDigestKey } from '../../support/digest-key.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const now = 1_750_000_000_000;

describe('admitCaller', () => {
  it('answers the key, its organization and whom the audit names', async () => {
    const manager = buildManager();

    expect(await admitCaller(manager.credential, manager)).toEqual(manager.caller);
  });
});

describe("admitCaller, with a key that isn't the deployment's key of its contacts", () => {
  async function prepare() {
    const organization = keyedOrganization();
    const { table } = openMemoryTable();
    const { text, apiKey } = buildApiKey({ organizationId: organization.id });
    await openOrganizationStore(table).put(organization);
    await openApiKeyStore(table).put(apiKey);
    const authentication = { now: () => now, apiKeys: openApiKeyStore(table) };
    return { admit: (credential = text) => admitCaller(credential, authentication), apiKey };
  }

  it.each([undefined, otherDigestKey])(
    'refuses everyone, as no contact and no suppression would be found: %s',
    async (key) => {
      const { admit, apiKey } = await prepare();

      const before = await admit();
      useDigestKey(key);
      const error = await serviceErrorOf(admit);

      expect(before.apiKey.id).toBe(apiKey.id);
      expect(error.code).toBe('contact_digest_mismatch');
    },
  );

  it('tells that nobody whose key is not valid', async () => {
    const { admit } = await prepare();
    useDigestKey(otherDigestKey);

    const error = await serviceErrorOf(() => admit(buildApiKey().text));

    expect(error.code).toBe('invalid_api_key');
  });
});

describe('organizationOf', () => {
  const { caller, organizationId } = buildManager();

  it('reads the organization of the caller', async () => {
    const organization = buildOrganization({ id: organizationId });
    const get = async (id: string) => (id === organizationId ? organization : undefined);

    expect(await organizationOf(caller, { get })).toBe(organization);
  });

  it('refuses the key of an organization that was deleted a moment ago as an unknown key', async () => {
    const run = () => organizationOf(caller, { get: async () => undefined });

    expect(await serviceErrorOf(run)).toEqual(invalidApiKey());
  });
});
