import { afterAll, describe, expect, it, vi } from 'vitest';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { openAuditStore } from '#shared/audit/audit-store';
import { openDueIdentityStore } from '#shared/identity/due-identity-store';
import { type Identity, withWanted } from '#shared/identity/identity';
import { openIdentityStore } from '#shared/identity/identity-store';
import { withoutRemoved } from '#shared/identity/unwanted-identity';
import { putNewOrganization } from '#shared/organizations/organization-store';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
afterAll(() => {
  vi.unstubAllEnvs();
});
const store = openIdentityStore(table);
const now = 1_750_000_000_000;

let domains = 0;
const newDomain = () => {
  domains += 1;
  return `mail.store-${process.pid}-${domains}.example`;
};

async function newOrganization(): Promise<OrganizationId> {
  const { identity: _, ...organization } = buildOrganization();
  await putNewOrganization(table, organization);
  return organization.id;
}

const wantedOf = (organizationId: OrganizationId, domain: string, before?: Identity): Identity =>
  withWanted(
    before,
    { domain, fromEmail: `x@${domain}`, mailFromDomain: `bounces.${domain}` },
    { organizationId, sending: undefined },
    now,
  );

const auditOf = (organizationId: OrganizationId) =>
  newAuditEntry(organizationId, 'operator', { action: 'identity.set', target: 'x' }, now);

const claim = (organizationId: OrganizationId, domain: string, before?: Identity) =>
  store.storeWanted(
    { before, after: wantedOf(organizationId, domain, before) },
    domain,
    {},
    auditOf(organizationId),
  );

const auditsOf = async (organizationId: OrganizationId) =>
  (await openAuditStore(table).list(organizationId, { before: undefined, limit: 10 }, now)).entries;

describe('storeWanted', () => {
  it('stores the identity with its claim and its audit row', async () => {
    const organizationId = await newOrganization();
    const domain = newDomain();

    expect(await claim(organizationId, domain)).toBe('stored');

    const { identity, organization } = await store.read(organizationId);
    expect(identity).toEqual(wantedOf(organizationId, domain));
    expect(organization?.identity).toBeUndefined();
    expect(await auditsOf(organizationId)).toHaveLength(1);
  });

  it('lets one organization have a domain, and stores nothing of the other', async () => {
    const [one, other] = [await newOrganization(), await newOrganization()];
    const domain = newDomain();

    const outcomes = await Promise.all([claim(one, domain), claim(other, domain)]);

    expect(outcomes.toSorted()).toEqual(['stored', 'taken']);
    const loser = outcomes[0] === 'taken' ? one : other;
    expect((await store.read(loser)).identity).toBeUndefined();
    expect(await auditsOf(loser)).toEqual([]);
  });

  it('tells the later of two versions', async () => {
    const organizationId = await newOrganization();
    const [first, second] = [newDomain(), newDomain()];
    await claim(organizationId, first);

    expect(await claim(organizationId, second)).toBe('changed_meanwhile');
    const { identity } = await store.read(organizationId);
    expect(await claim(organizationId, second, identity)).toBe('stored');
  });
});

describe('storeChange', () => {
  it('changes what sends use, and leaves the rest of the organization', async () => {
    const organizationId = await newOrganization();
    const domain = newDomain();
    await claim(organizationId, domain);
    const before = wantedOf(organizationId, domain);
    const after = { ...before, updatedAt: now + 1 };
    const identity = { domain, fromEmail: `x@${domain}`, status: 'active' } as const;
    const tenant = { sending: 'paused', reason: 'Bounces' } as const;
    const { organization } = await store.read(organizationId);

    await store.storeChange({ before, after }, { identity, tenant });
    const changed = await store.read(organizationId);
    const last = { ...after, updatedAt: now + 2 };
    await store.storeChange({ before: after, after: last }, { identity: null });
    const removed = await store.read(organizationId);

    expect(changed.organization).toEqual({ ...organization, identity, tenant });
    expect(removed.organization).toEqual({ ...organization, tenant });
  });

  it('creates no organization that is deleted meanwhile', async () => {
    const organizationId = buildOrganization().id;
    const domain = newDomain();
    const after = wantedOf(organizationId, domain);
    const identity = { domain, fromEmail: `x@${domain}`, status: 'active' } as const;

    expect(await store.storeChange({ before: undefined, after }, { identity })).toBe(
      'changed_meanwhile',
    );
    expect((await store.read(organizationId)).organization).toBeUndefined();
  });
});

describe('storeRemoval', () => {
  it('gives the domain free, and forgets an identity of which nothing is left', async () => {
    const [one, other] = [await newOrganization(), await newOrganization()];
    const domain = newDomain();
    await claim(one, domain);
    const { wanted: _, ...rest } = wantedOf(one, domain);
    const removing: Identity = { ...rest, removing: [domain], updatedAt: now + 1 };
    await store.storeChange({ before: wantedOf(one, domain), after: removing }, {});

    const after = withoutRemoved(removing, domain, now);
    expect(await store.storeRemoval(removing, after, domain)).toBe('stored');

    expect((await store.read(one)).identity).toBeUndefined();
    expect(await claim(other, domain)).toBe('stored');
  });

  it('leaves the claim of another organization alone', async () => {
    const [one, other] = [await newOrganization(), await newOrganization()];
    const domain = newDomain();
    await claim(other, domain);
    const removing: Identity = { organizationId: one, removing: [domain], updatedAt: now };
    await store.storeChange({ before: undefined, after: removing }, {});

    expect(await store.storeRemoval(removing, undefined, domain)).toBe('stored');
    expect(await claim(one, domain)).toBe('taken');
  });

  it('changes nothing of a version that is not the last', async () => {
    const organizationId = await newOrganization();
    const domain = newDomain();
    await claim(organizationId, domain);
    const stale = { ...wantedOf(organizationId, domain), updatedAt: now - 1 };

    expect(await store.storeRemoval(stale, undefined, domain)).toBe('changed_meanwhile');
    expect(await claim(await newOrganization(), domain)).toBe('taken');
  });
});

describe('identities that are due', () => {
  it('are found from their moment on, and not before', async () => {
    const organizationId = await newOrganization();
    await claim(organizationId, newDomain());
    const due = openDueIdentityStore(table);
    const dueAt = wantedOf(organizationId, 'x.example').nextCheckAt ?? 0;

    expect(await due.find(dueAt - 1, 1_000)).not.toContain(organizationId);
    expect(await due.find(dueAt, 1_000)).toContain(organizationId);
  });

  it('are not those that nothing is to be asked of', async () => {
    const organizationId = await newOrganization();
    const domain = newDomain();
    await claim(organizationId, domain);
    const before = wantedOf(organizationId, domain);
    const { nextCheckAt: _, ...never } = before;

    await store.storeChange({ before, after: { ...never, updatedAt: now + 1 } }, {});

    const found = await openDueIdentityStore(table).find(now * 2, 1_000);
    expect(found).not.toContain(organizationId);
  });
});
