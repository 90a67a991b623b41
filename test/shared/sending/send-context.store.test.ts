import { describe, expect, it } from 'vitest';
import { putApiKey } from '#shared/access/api-key-store';
import { putOrganization } from '#shared/organizations/organization-store';
import { readStored } from '#shared/sending/send-context';
import { suppressAddress } from '#shared/suppressions/suppression-store';
import { organizationIdOf } from '#shared/tokens/resource-id';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { buildEmailAddress } from '../../support/email-address-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

async function storeNew() {
  const organization = buildOrganization({ policies: { news: { kind: 'bulk' } } });
  const { apiKey } = buildApiKey({ organizationId: organization.id });
  await Promise.all([putOrganization(table, organization), putApiKey(table, apiKey)]);
  return { organization, apiKey };
}

const ann = buildEmailAddress('Ann@example.com');
const bob = buildEmailAddress('bob@example.com');

describe('readStored', () => {
  it('reads the key, the organization and existing contacts', async () => {
    const { organization, apiKey } = await storeNew();
    const { id: organizationId } = organization;
    await suppressAddress(
      table,
      organizationId,
      { identity: ann.identity, reason: 'bounce' },
      1_000,
    );

    const context = await readStored(table, organizationId, apiKey.id, [ann, bob]);

    expect(context).toMatchObject({ apiKey, organization });
    expect(context.contactOf(ann)).toMatchObject({
      email: 'ann@example.com',
      bounce: { at: 1_000 },
    });
    expect(context.contactOf(bob)).toBeUndefined();
  });

  it('sees a suppression written just before', async () => {
    const { organization, apiKey } = await storeNew();
    const { id: organizationId } = organization;
    const before = await readStored(table, organizationId, apiKey.id, [ann]);
    await suppressAddress(
      table,
      organizationId,
      { identity: ann.identity, reason: 'complaint' },
      1_000,
    );

    const after = await readStored(table, organizationId, apiKey.id, [ann]);

    expect(before.contactOf(ann)).toBeUndefined();
    expect(after.contactOf(ann)).toMatchObject({ complaint: { at: 1_000 } });
  });

  it('finds nothing for an unknown key or organization', async () => {
    const { apiKey } = buildApiKey();

    const context = await readStored(table, organizationIdOf(apiKey.id), apiKey.id, [ann]);

    expect(context).toMatchObject({ apiKey: undefined, organization: undefined });
  });

  it('reads 50 recipients at once', async () => {
    const { organization, apiKey } = await storeNew();
    const { id: organizationId } = organization;
    const recipients = Array.from({ length: 50 }, (_, index) =>
      buildEmailAddress(`user${index}@example.com`),
    );
    await Promise.all(
      recipients.map(({ identity }) =>
        suppressAddress(table, organizationId, { identity, reason: 'bounce' }, 1_000),
      ),
    );

    const { contactOf } = await readStored(table, organizationId, apiKey.id, recipients);

    expect(recipients.map((address) => contactOf(address)?.email)).toEqual(
      recipients.map(({ identity }) => identity),
    );
  });

  it("doesn't see another organization's suppression", async () => {
    const { organization, apiKey } = await storeNew();
    const { organization: other } = await storeNew();
    await suppressAddress(table, other.id, { identity: ann.identity, reason: 'bounce' }, 1_000);

    const { contactOf } = await readStored(table, organization.id, apiKey.id, [ann]);

    expect(contactOf(ann)).toBeUndefined();
  });
});
