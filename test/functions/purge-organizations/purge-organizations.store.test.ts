import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { putApiKey } from '#shared/access/api-key-store';
import { noteRefusal } from '#shared/access/refusal-store';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { ensureContact } from '#shared/contacts/contact-store';
import type { IdentityChange } from '#shared/identity/identity-items';
import { storeOrganizationDeletion } from '#shared/identity/organization-deletion-store';
import { putOrganization } from '#shared/organizations/organization-store';
import { getPurge } from '#shared/organizations/purge-store';
import { putCategory } from '#shared/preferences/category-store';
import { contentKinds } from '#shared/stored-content/content-lifetimes';
import { organizationPartition, refusalPartition } from '#shared/table/keys';
import { openTable } from '#shared/table/table-client';
import { createTemplate } from '#shared/templates/template-store';
import { newApiKeyId, newTemplateId, type OrganizationId } from '#shared/tokens/resource-id';
import {
  type Purging,
  purgeOrganizations,
} from '../../../functions/purge-organizations/purge-organizations.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { anyEntry } from '../../support/audit-entry-builder.ts';
import { Death, dyingTable } from '../../support/disturbed-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { itemsOf } from '../../support/organization-items.ts';
import { openOwnTable } from '../../support/own-database.ts';
import { patience } from '../../support/patience.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { buildRefusal } from '../../support/refusal-builder.ts';
import { buildTemplate } from '../../support/template-builder.ts';

// A purge reads the whole table, and other files delete organizations in the one that they share.
const table = await openOwnTable();
const hour = 3_600_000;
/** Long ago, so that no other test's deletion is due with it. */
const deletedAt = Date.UTC(2001, 0, 1);

async function organizationWithEverything(): Promise<OrganizationId> {
  const organization = buildOrganization();
  const { id } = organization;
  await putOrganization(table, organization);
  await putApiKey(table, buildApiKey({ organizationId: id }).apiKey);
  await putCategory(table, id, { key: 'news', name: 'News' });
  await ensureContact(table, id, 'ann@example.com', deletedAt);
  await createTemplate(table, buildTemplate({ id: newTemplateId(id) }), anyEntry());
  const refusal = buildRefusal({ apiKeyId: newApiKeyId(id), at: Date.now() });
  await noteRefusal(table, refusal, patience.timeout);
  const expiring = { pk: `${organizationPartition(id)}#SEND#x`, sk: 'SEND', expiresAt: 1 };
  await table.client.send(new PutCommand({ TableName: table.name, Item: expiring }));
  return id;
}

async function deleted(id: OrganizationId, identity?: IdentityChange) {
  const name = 'Example Ltd';
  const entry = newAuditEntry(
    id,
    'operator',
    { action: 'organization.deleted', target: id },
    deletedAt,
  );
  await storeOrganizationDeletion(
    table,
    { id, name },
    identity === undefined ? [] : [identity],
    entry,
  );
}

/** Of what a purge removes. */
const sortKeysOf = async (id: OrganizationId) =>
  (await itemsOf(table, id))
    .filter(({ pk, expiresAt }) => expiresAt === undefined || pk === refusalPartition(id))
    .map(({ sk }) => sk);

const noContents: Purging['contents'] = { removeSome: async () => true };

const run = (at: number, given: Partial<Purging> = {}) =>
  purgeOrganizations({ table, now: () => at, contents: noContents, ...given }, recordLog().log);

describe('purgeOrganizations', () => {
  it("removes everything of a deleted organization that doesn't expire, its mark last", async () => {
    const id = await organizationWithEverything();
    const other = await organizationWithEverything();
    const ofOther = await sortKeysOf(other);
    await deleted(id);

    const tooEarly = await run(deletedAt + hour - 1);
    const before = await sortKeysOf(id);
    await run(deletedAt + hour + 1);

    expect(tooEarly).toBe(0);
    expect(before).toContain('DELETED');
    expect(before).toContain('CONTACT');
    expect(await sortKeysOf(id)).toEqual([]);
    expect(await itemsOf(table, id)).not.toEqual([]);
    expect(await sortKeysOf(other)).toEqual(ofOther);
    expect(await getPurge(table)).toBeUndefined();
  });

  it('leaves the identity to the check that removes its domains from SES', async () => {
    const id = await organizationWithEverything();
    const after = { organizationId: id, removing: ['mail.example.com'], updatedAt: 1 };
    await deleted(id, { before: undefined, after });

    await run(deletedAt + hour + 1);

    expect(await sortKeysOf(id)).toEqual(['IDENTITY']);
  });

  it('removes all kinds of content first, in as many rounds as it takes', async () => {
    const id = await organizationWithEverything();
    await deleted(id);
    const rounds: unknown[] = [];
    const removeSome = async (kind: string, organizationId: string) => {
      rounds.push([kind, organizationId, (await sortKeysOf(id)).includes('CONTACT')]);
      return rounds.length > 1;
    };

    await run(deletedAt + hour + 1, { contents: { removeSome } });

    expect(rounds).toEqual(
      ['waiting', ...contentKinds.map(({ kind }) => kind)].map((kind) => [kind, id, true]),
    );
    expect(await sortKeysOf(id)).toEqual([]);
  });

  it('leaves everything else to the next run while content remains', async () => {
    const id = await organizationWithEverything();
    await deleted(id);
    const before = await sortKeysOf(id);
    const failing = async () => {
      throw new Error('S3 answered 503');
    };

    await expect(run(deletedAt + hour + 1, { contents: { removeSome: failing } })).rejects.toThrow(
      '503',
    );
    const between = await sortKeysOf(id);
    await run(deletedAt + hour + 2);

    expect(between).toEqual(before);
    expect(await sortKeysOf(id)).toEqual([]);
  });

  it('continues where a dead run ended', async () => {
    const id = await organizationWithEverything();
    await deleted(id);
    // The first write begins the purge.
    const dying = dyingTable(4, () => openTable(table.name));

    await expect(run(deletedAt + hour + 1, { table: dying })).rejects.toThrow(Death);
    const underWay = await getPurge(table);

    await run(deletedAt + hour + 2);

    expect(underWay?.organizationIds).toEqual([id]);
    expect(await sortKeysOf(id)).toEqual([]);
    expect(await getPurge(table)).toBeUndefined();
  });

  it('scans the table in as many runs as it takes', async () => {
    const id = await organizationWithEverything();
    await deleted(id);
    const ofId = await itemsOf(table, id);
    let clock = deletedAt + hour + 1;
    // Pages of one item, each of which takes a whole run.
    const slow = openTable(table.name);
    slow.client.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName !== 'ScanCommand') return next(args);
          clock += 300_000;
          return next({ ...args, input: { ...args.input, Limit: 1 } });
        },
      { step: 'initialize' },
    );
    const runOnce = () => run(clock, { table: slow, now: () => clock });

    await runOnce();
    const between = await getPurge(table);
    let runs = 1;
    for (; (await getPurge(table)) !== undefined; runs += 1) await runOnce();

    expect(between?.organizationIds).toEqual([id]);
    expect(between?.passed).toBeDefined();
    expect(runs).toBeGreaterThan(ofId.length);
    expect(await sortKeysOf(id)).toEqual([]);
  });

  it('writes nothing when nothing was deleted', async () => {
    expect(await run(deletedAt - hour)).toBe(0);

    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: { pk: 'PURGE', sk: 'PURGE' } }),
    );
    expect(Item).toBeUndefined();
  });
});
