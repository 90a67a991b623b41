import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { openApiKeyStore } from '#shared/access/api-key-store';
import { openRefusalStore } from '#shared/access/refusal-store';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { ensureContact } from '#shared/contacts/contact-store';
import type { IdentityChange } from '#shared/identity/identity-items';
import { openOrganizationDeletionStore } from '#shared/identity/organization-deletion-store';
import { putOrganization } from '#shared/organizations/organization-store';
import { openPurgeStore } from '#shared/organizations/purge-store';
import { putCategory } from '#shared/preferences/category-store';
import { contentKinds } from '#shared/stored-content/content-kinds';
import { organizationPartition, refusalPartition } from '#shared/table/keys';
import { openTemplateStore } from '#shared/templates/template-store';
import { newApiKeyId, newTemplateId, type OrganizationId } from '#shared/tokens/resource-id';
import {
  type Purging,
  purgeOrganizations,
} from '../../../functions/purge-organizations/purge-organizations.ts';
import { buildApiKey } from '../../support/api-key-builder.ts';
import { anyEntry } from '../../support/audit-entry-builder.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { itemsOf } from '../../support/organization-items.ts';
import { openOwnTable } from '../../support/own-database.ts';
import { patience } from '../../support/patience.ts';
import { recordLog } from '../../support/recorded-log.ts';
import { buildRefusal } from '../../support/refusal-builder.ts';
import { buildTemplate } from '../../support/template-builder.ts';

// A purge reads the whole table, and other files delete organizations in the one that they share.
const table = await openOwnTable();
const purges = openPurgeStore(table);
const hour = 3_600_000;
/** Long ago, so that no other test's deletion is due with it. */
const deletedAt = Date.UTC(2001, 0, 1);

async function organizationWithEverything(): Promise<OrganizationId> {
  const organization = buildOrganization();
  const { id } = organization;
  await putOrganization(table, organization);
  await openApiKeyStore(table).put(buildApiKey({ organizationId: id }).apiKey);
  await putCategory(table, id, { key: 'news', name: 'News' });
  await ensureContact(table, id, 'ann@example.com', deletedAt);
  await openTemplateStore(table).create(buildTemplate({ id: newTemplateId(id) }), anyEntry());
  const refusal = buildRefusal({ apiKeyId: newApiKeyId(id), at: Date.now() });
  await openRefusalStore(table, patience.timeout).note(refusal);
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
  await openOrganizationDeletionStore(table).delete(
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

const run = (at: number, given: Partial<typeof purges> = {}, contents = noContents) =>
  purgeOrganizations({ now: () => at, purges: { ...purges, ...given }, contents }, recordLog().log);

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
    expect(await purges.get()).toBeUndefined();
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

    await run(deletedAt + hour + 1, {}, { removeSome });

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

    await expect(run(deletedAt + hour + 1, {}, { removeSome: failing })).rejects.toThrow('503');
    const between = await sortKeysOf(id);
    await run(deletedAt + hour + 2);

    expect(between).toEqual(before);
    expect(await sortKeysOf(id)).toEqual([]);
  });

  it('continues where a dead run ended', async () => {
    const id = await organizationWithEverything();
    await deleted(id);
    let removals = 0;
    const dies = run(deletedAt + hour + 1, {
      remove: async (key) => {
        removals += 1;
        if (removals > 2) throw new Error('The process died');
        await purges.remove(key);
      },
    });
    await expect(dies).rejects.toThrow('died');
    const underWay = await purges.get();

    await run(deletedAt + hour + 2);

    expect(underWay?.organizationIds).toEqual([id]);
    expect(await sortKeysOf(id)).toEqual([]);
    expect(await purges.get()).toBeUndefined();
  });

  it('scans the table in as many runs as it takes', async () => {
    const id = await organizationWithEverything();
    await deleted(id);
    const pages: unknown[] = [];
    // Pages of one item, and a clock that lets a run read one of them.
    const one = [...(await itemsOf(table, id))].filter(({ sk }) => sk === 'CONTACT');
    const places = one.map(({ pk, sk }) => ({ pk: `${pk}`, sk: `${sk}` }));
    const [place] = places;
    if (place === undefined) throw new Error('There is a contact');
    let clock = deletedAt + hour + 1;
    const purging = {
      contents: noContents,
      now: () => clock,
      purges: {
        ...purges,
        readPage: async (after: typeof place | undefined) => {
          pages.push(after);
          clock += 300_000;
          return after === undefined ? { keys: places, next: place } : purges.readPage(undefined);
        },
      },
    };

    await purgeOrganizations(purging, recordLog().log);
    const between = await purges.get();
    await purgeOrganizations(purging, recordLog().log);

    expect(between).toEqual({ organizationIds: [id], passed: place });
    expect(pages).toEqual([undefined, place]);
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
