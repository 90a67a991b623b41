import { describe, expect, it } from 'vitest';
import { admitCaller, organizationOf } from '#shared/access/admit-caller';
import { invalidApiKey } from '#shared/access/api-key';
import { putApiKey } from '#shared/access/api-key-store';
import { putOrganization } from '#shared/organizations/organization-store';
import { openAccount } from '../../support/account.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { keyedOrganization, otherDigestKey, useDigestKey } from '../../support/digest-key.ts';
import { buildManager } from '../../support/manager-builder.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { presenting } from '../../support/presenting.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const now = 1_750_000_000_000;

describe('admitCaller', () => {
  it('returns the key, its organization and the name for the audit', async () => {
    const { credential, caller, apiKey, ...account } = await openAccount();
    const presented = presenting(credential);

    const admitted = await admitCaller(presented, account);

    expect(admitted).toEqual(caller);
    expect(presented.context.apiKeyId).toBe(apiKey.id);
  });
});

describe("admitCaller, with a digest key that doesn't match the deployment's contacts", () => {
  async function prepare() {
    const organization = keyedOrganization();
    const { table } = openMemoryTable();
    const { text, apiKey } = buildApiKey({ organizationId: organization.id });
    await putOrganization(table, organization);
    await putApiKey(table, apiKey);
    const admit = (credential = text) =>
      admitCaller(presenting(credential), { table, now: () => now });
    return { admit, apiKey };
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
