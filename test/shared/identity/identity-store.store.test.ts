import { describe, expect, it } from 'vitest';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { listAuditEntries } from '#shared/audit/audit-store';
import { leaseMs } from '#shared/domains/domain-ownership';
import {
  beginDomainLease,
  endDomainLease,
  readDomainOwnership,
  storeDomainOwner,
} from '#shared/identity/domain-store';
import { type Identity, withWanted } from '#shared/identity/identity';
import { sendingChange } from '#shared/identity/identity-items';
import {
  beginAskingSes,
  findDueIdentities,
  getBothIdentities,
  getIdentity,
  keepSesAnswer,
  listIdentities,
  storeDomainRemoval,
  storeIdentityChange,
  storeNewDefault,
  storeWantedIdentity,
} from '#shared/identity/identity-store';
import { withoutRemoved } from '#shared/identity/unwanted-identity';
import { putOrganization } from '#shared/organizations/organization-store';
import type { OrganizationId } from '#shared/tokens/resource-id';
import { defaultChangeOf } from '../../../functions/update-domain/make-default.ts';
import { conflictAtFirst, openDisturbedTable } from '../../support/disturbed-table.ts';
import { buildOrganization } from '../../support/organization-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const now = 1_750_000_000_000;

let domains = 0;
const newDomain = () => {
  domains += 1;
  return `mail.store-${process.pid}-${domains}.example`;
};

async function newOrganization(): Promise<OrganizationId> {
  const { identity: _, ...organization } = buildOrganization();
  await putOrganization(table, organization);
  return organization.id;
}

const wantedOf = (organizationId: OrganizationId, domain: string, before?: Identity) =>
  withWanted(
    before,
    { domain, fromEmail: `x@${domain}`, mailFromDomain: `bounces.${domain}` },
    { organizationId, sending: undefined },
    now,
  );

const auditOf = (organizationId: OrganizationId) =>
  newAuditEntry(organizationId, 'operator', { action: 'identity.set', target: 'x' }, now);

const claim = (organizationId: OrganizationId, domain: string, before?: Identity) =>
  storeWantedIdentity(
    table,
    { before, after: wantedOf(organizationId, domain, before) },
    domain,
    {},
    auditOf(organizationId),
  );

/** An organization that has claimed a domain. */
async function claimed() {
  const organizationId = await newOrganization();
  const domain = newDomain();
  await claim(organizationId, domain);
  return { organizationId, domain, identity: wantedOf(organizationId, domain) };
}

const own = (organizationId: OrganizationId, domain: string) =>
  storeDomainOwner(
    table,
    domain,
    { before: undefined, after: { organizationId, claimedAt: now, proof: 'record' } },
    wantedOf(organizationId, domain),
  );

const auditsOf = async (organizationId: OrganizationId) =>
  (await listAuditEntries(table, organizationId, { before: undefined, limit: 10 }, now)).entries;

describe('storeWantedIdentity', () => {
  it('stores the identity with its claim and its audit row', async () => {
    const organizationId = await newOrganization();
    const domain = newDomain();

    expect(await claim(organizationId, domain)).toBe('stored');

    const { identity, organization } = await getIdentity(table, organizationId);
    expect(identity).toEqual(wantedOf(organizationId, domain));
    expect(organization?.identity).toBeUndefined();
    expect(await auditsOf(organizationId)).toHaveLength(1);
  });

  it('lets several organizations claim a domain that none of them owns', async () => {
    const [one, other] = [await newOrganization(), await newOrganization()];
    const domain = newDomain();

    const outcomes = await Promise.all([claim(one, domain), claim(other, domain)]);

    expect(outcomes).toEqual(['stored', 'stored']);
    const { owner, claims } = await readDomainOwnership(table, domain, now);
    expect(owner).toBeUndefined();
    expect(claims).toHaveLength(2);
    expect(claims).toContainEqual({ organizationId: one, claimedAt: now });
  });

  it('keeps the time of the first claim', async () => {
    const { organizationId, domain, identity } = await claimed();

    expect(await claim(organizationId, domain, { ...identity, updatedAt: now })).toBe('stored');

    expect((await readDomainOwnership(table, domain, now)).claims).toEqual([
      { organizationId, claimedAt: now },
    ]);
  });

  it('rejects a write based on an outdated version', async () => {
    const { organizationId } = await claimed();
    const second = newDomain();

    expect(await claim(organizationId, second)).toBe('changed_meanwhile');
    const { identity } = await getIdentity(table, organizationId);
    expect(await claim(organizationId, second, identity)).toBe('stored');
  });
});

describe('storeIdentityChange', () => {
  it('changes what sends use, and leaves the rest of the organization', async () => {
    const { organizationId, domain, identity: before } = await claimed();
    const after = { ...before, updatedAt: now + 1 };
    const identity = { domain, fromEmail: `x@${domain}`, status: 'active' } as const;
    const tenant = { sending: 'paused', reason: 'Bounces' } as const;
    const { organization } = await getIdentity(table, organizationId);

    await storeIdentityChange(table, { before, after }, { identity, tenant });
    const changed = await getIdentity(table, organizationId);
    const last = { ...after, updatedAt: now + 2 };
    await storeIdentityChange(table, { before: after, after: last }, { identity: null });
    const removed = await getIdentity(table, organizationId);

    expect(changed.organization).toEqual({
      ...organization,
      identity,
      tenant,
      domainsVersion: 1,
    });
    expect(removed.organization).toEqual({ ...organization, tenant, domainsVersion: 1 });
  });

  it('removes the stored tenant status', async () => {
    const { organizationId, identity: before } = await claimed();
    const change = { before, after: { ...before, updatedAt: now + 1 } };
    await storeIdentityChange(table, change, { tenant: { sending: 'paused' } });
    const removal = { before: change.after, after: { ...before, updatedAt: now + 2 } };

    const outcome = await storeIdentityChange(table, removal, { tenant: null, domainsVersion: 1 });

    const { organization } = await getIdentity(table, organizationId);
    expect(outcome).toBe('stored');
    expect(organization).not.toHaveProperty('tenant');
    expect(organization?.domainsVersion).toBe(2);
  });

  it("doesn't recreate an organization that was deleted in between", async () => {
    const organizationId = buildOrganization().id;
    const domain = newDomain();
    const after = wantedOf(organizationId, domain);
    const identity = { domain, fromEmail: `x@${domain}`, status: 'active' } as const;

    expect(await storeIdentityChange(table, { before: undefined, after }, { identity })).toBe(
      'changed_meanwhile',
    );
    expect((await getIdentity(table, organizationId)).organization).toBeUndefined();
  });
});

describe('storeDomainRemoval', () => {
  it('leaves neither claim nor owner, and deletes an identity that has nothing left', async () => {
    const { organizationId, domain, identity: before } = await claimed();
    await own(organizationId, domain);
    const { wanted: _, ...rest } = before;
    const removing: Identity = { ...rest, removing: [domain], updatedAt: now + 1 };
    await storeIdentityChange(table, { before, after: removing }, {});

    const after = withoutRemoved(removing, domain, now);
    expect(await storeDomainRemoval(table, removing, after, domain)).toBe('stored');

    expect((await getIdentity(table, organizationId)).identity).toBeUndefined();
    expect(await readDomainOwnership(table, domain, now)).toMatchObject({
      owner: undefined,
      claims: [],
    });
  });

  it('leaves another organization’s claim and ownership alone', async () => {
    const [one, other] = [await newOrganization(), await newOrganization()];
    const domain = newDomain();
    await claim(other, domain);
    await own(other, domain);
    const removing: Identity = { organizationId: one, removing: [domain], updatedAt: now };
    await storeIdentityChange(table, { before: undefined, after: removing }, {});

    expect(await storeDomainRemoval(table, removing, undefined, domain)).toBe('stored');

    const { owner, claims } = await readDomainOwnership(table, domain, now);
    expect(owner?.organizationId).toBe(other);
    expect(claims).toHaveLength(1);
  });

  it('changes nothing when the version is outdated', async () => {
    const { domain, identity } = await claimed();
    const stale = { ...identity, updatedAt: now - 1 };

    expect(await storeDomainRemoval(table, stale, undefined, domain)).toBe('changed_meanwhile');
    expect((await readDomainOwnership(table, domain, now)).claims).toHaveLength(1);
  });
});

describe('storeDomainOwner', () => {
  it('makes exactly one of two concurrent callers the owner', async () => {
    const [one, other] = [await newOrganization(), await newOrganization()];
    const domain = newDomain();
    await claim(one, domain);
    await claim(other, domain);

    const outcomes = await Promise.all([own(one, domain), own(other, domain)]);

    expect(outcomes.toSorted()).toEqual(['changed_meanwhile', 'stored']);
  });

  it("doesn't make an organization the owner once it no longer wants the domain", async () => {
    const { organizationId, domain, identity: before } = await claimed();
    await storeIdentityChange(table, { before, after: { ...before, updatedAt: now + 1 } }, {});

    expect(await own(organizationId, domain)).toBe('changed_meanwhile');
    expect((await readDomainOwnership(table, domain, now)).owner).toBeUndefined();
  });
});

describe('the lease of a removal', () => {
  it("is held by one process until it's released or expires", async () => {
    const [one, other] = [await newOrganization(), await newOrganization()];
    const domain = newDomain();

    const lease = await beginDomainLease(table, domain, one, now);
    expect(await beginDomainLease(table, domain, other, now)).toBeUndefined();
    expect((await readDomainOwnership(table, domain, now)).lease).toEqual(lease);
    if (lease !== undefined) await endDomainLease(table, domain, lease);

    expect(await beginDomainLease(table, domain, other, now)).toBeDefined();
    expect(await beginDomainLease(table, domain, one, now + leaseMs)).toBeDefined();
  });

  it("can't release another process's lease once it has expired", async () => {
    const organizationId = await newOrganization();
    const domain = newDomain();
    const first = await beginDomainLease(table, domain, organizationId, now);
    const second = await beginDomainLease(table, domain, organizationId, now + leaseMs);

    if (first !== undefined) await endDomainLease(table, domain, first);

    expect((await readDomainOwnership(table, domain, now)).lease).toEqual(second);
  });
});

describe('an SES answer', () => {
  const account = {
    region: 'eu-west-1',
    hasProductionAccess: true,
    isSendingEnabled: true,
    enforcementStatus: 'HEALTHY',
  };

  it('is requested by one caller at a time, stored with the identity, and gone with the next version', async () => {
    const { organizationId, domain, identity } = await claimed();
    const seen = { domain, at: now, account };

    const asked = [
      await beginAskingSes(table, { organizationId }, now, 30_000),
      await beginAskingSes(table, { organizationId }, now + 29_999, 30_000),
      await beginAskingSes(table, { organizationId }, now + 30_000, 30_000),
    ];
    await keepSesAnswer(table, identity, seen);
    const kept = (await getIdentity(table, organizationId)).identity;
    await storeIdentityChange(
      table,
      { before: kept, after: { ...identity, updatedAt: now + 1 } },
      {},
    );
    await keepSesAnswer(table, identity, seen);

    expect(asked).toEqual([true, false, true]);
    expect(kept).toEqual({ ...identity, seen });
    expect((await getIdentity(table, organizationId)).identity?.seen).toBeUndefined();
  });

  it('is neither requested nor stored when the identity is gone', async () => {
    const organizationId = await newOrganization();

    expect(await beginAskingSes(table, { organizationId }, now, 30_000)).toBe(false);

    expect((await getIdentity(table, organizationId)).identity).toBeUndefined();
  });

  it('waits for a transaction that holds the identity', async () => {
    const { organizationId } = await claimed();
    const conflicting = openDisturbedTable(conflictAtFirst('UpdateItem'));

    expect(await beginAskingSes(conflicting, { organizationId }, now, 30_000)).toBe(true);
  });
});

describe('an additional domain', () => {
  /** Reads the identity, and returns what stores the result of `change`. */
  const prepareBeside = async (organizationId: OrganizationId, domain: string) => {
    const { byDefault, beside } = await getBothIdentities(table, organizationId, domain);
    const after = { ...wantedOf(organizationId, domain), otherDomain: domain };
    const { organization } = beside;
    const entry = { domain, fromEmail: `x@${domain}`, status: 'active' } as const;
    const change = sendingChange(beside.place, organization, entry);
    const entryOf = { action: 'domain.added', target: domain };
    const audit = newAuditEntry(organizationId, 'operator', entryOf, now);
    return () =>
      storeWantedIdentity(
        table,
        { before: beside.identity, after },
        domain,
        change,
        audit,
        byDefault,
      );
  };
  const addBeside = async (organizationId: OrganizationId, domain: string) =>
    (await prepareBeside(organizationId, domain))();

  it('is stored apart from the default, found when due, and listed with the others', async () => {
    const { organizationId } = await claimed();
    const second = newDomain();

    expect(await addBeside(organizationId, second)).toBe('stored');

    const all = await listIdentities(table, organizationId);
    expect(all.map(({ otherDomain }) => otherDomain)).toEqual([undefined, second]);
    const { organization } = await getIdentity(table, organizationId, second);
    expect(organization?.domains).toMatchObject([{ domain: second, status: 'active' }]);
    expect(await findDueIdentities(table, now * 2, 1_000)).toContainEqual({
      organizationId,
      otherDomain: second,
    });
  });

  it('is rejected when the list of domains changed in between', async () => {
    const { organizationId } = await claimed();

    const storeFirst = await prepareBeside(organizationId, newDomain());
    const storeSecond = await prepareBeside(organizationId, newDomain());

    expect([await storeFirst(), await storeSecond()]).toEqual(['stored', 'changed_meanwhile']);
    expect((await getIdentity(table, organizationId)).organization?.domains).toHaveLength(1);
  });

  it('swaps places with the default in one transaction', async () => {
    const { organizationId, domain: first } = await claimed();
    const second = newDomain();
    await addBeside(organizationId, second);
    const both = await getBothIdentities(table, organizationId, second);
    const active = { ...wantedOf(organizationId, second).wanted, status: 'active' } as const;
    const left = both.beside.identity && { ...both.beside.identity, wanted: active };
    const change = defaultChangeOf({ ...both, beside: { ...both.beside, identity: left } }, now);
    if (change === undefined) throw new Error('The domain is active');
    const made = { action: 'domain.made_default', target: second };
    const swap = () =>
      storeNewDefault(
        table,
        change.identities,
        change.organization,
        newAuditEntry(organizationId, 'operator', made, now),
      );

    const outcomes = [await swap(), await swap()];

    expect(outcomes).toEqual(['stored', 'changed_meanwhile']);
    const all = await listIdentities(table, organizationId);
    expect(all.map(({ otherDomain, wanted }) => [otherDomain, wanted?.domain])).toEqual([
      [undefined, second],
      [first, first],
    ]);
    const { organization } = await getIdentity(table, organizationId);
    expect(organization?.identity?.domain).toBe(second);
    expect(organization?.domains?.map(({ domain }) => domain)).toEqual([first]);
  });
});

describe('identities that are due', () => {
  it('are found from their due time on, and not before', async () => {
    const { organizationId } = await claimed();
    const dueAt = wantedOf(organizationId, 'x.example').nextCheckAt ?? 0;

    expect(await findDueIdentities(table, dueAt - 1, 1_000)).not.toContainEqual({ organizationId });
    expect(await findDueIdentities(table, dueAt, 1_000)).toContainEqual({ organizationId });
  });

  it("don't include those with nothing to check", async () => {
    const { organizationId, identity: before } = await claimed();
    const { nextCheckAt: _, ...never } = before;

    await storeIdentityChange(table, { before, after: { ...never, updatedAt: now + 1 } }, {});

    const found = await findDueIdentities(table, now * 2, 1_000);
    expect(found).not.toContainEqual({ organizationId });
  });
});
