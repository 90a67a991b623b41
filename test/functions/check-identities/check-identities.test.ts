import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { leaseMs } from '#shared/domains/domain-ownership';
import { ServiceError } from '#shared/errors/service-error';
import { afterRelease, givenUpAfterMs } from '#shared/identity/identity';
import { storeIdentityChange } from '#shared/identity/identity-store';
import type { TenantState } from '#shared/organizations/organization';
import { identityKey } from '#shared/table/keys';
import {
  checkDueIdentities,
  checkIdentities,
} from '../../../functions/check-identities/check-identities.ts';
import { interceptWrites } from '../../support/disturbed-table.ts';
import {
  checkDomains,
  mailDomain as domain,
  type IdentityWorld,
  openIdentityWorld,
  openTwoIdentityWorlds,
  setDomain,
  useDomain,
  verifyDomains,
} from '../../support/identity-world.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';

const dayMs = 86_400_000;

const newWorld = (options = {}) => openIdentityWorld(openMemoryTable(), options);
const statusOf = async (world: IdentityWorld) => (await world.read()).identity?.wanted?.status;
const pauseOf = async (world: IdentityWorld) =>
  ((await world.read()).identity?.nextCheckAt ?? 0) - world.now();

const dueOf = (...worlds: readonly IdentityWorld[]) =>
  worlds.map(({ organizationId }) => ({ organizationId }));

/** As if another version had written it. */
const spoil = ({ organizationId, management: { table } }: IdentityWorld) =>
  table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: identityKey(organizationId),
      UpdateExpression: 'SET removing = :other',
      ExpressionAttributeValues: { ':other': 'another form' },
    }),
  );

describe('checkIdentities', () => {
  it('makes an identity active that SES has verified in the meantime', async () => {
    const world = await newWorld();
    await setDomain(world);

    await verifyDomains(world, domain);

    expect(await statusOf(world)).toBe('active');
    expect(await pauseOf(world)).toBe(dayMs);
  });

  it('waits longer and longer', async () => {
    const world = await newWorld();
    await setDomain(world);
    const pauses: number[] = [];

    for (const pass of [60_000, 600_000, 3_600_000, dayMs]) {
      world.pass(pass);
      await checkDomains(world);
      pauses.push(await pauseOf(world));
    }

    expect(pauses).toEqual([60_000, 330_000, 2_130_000, 6 * 3_600_000]);
  });

  it("creates the domain in SES if it's missing", async () => {
    const world = await newWorld();
    await setDomain(world);
    world.fake.domains.clear();

    await checkDomains(world);

    expect(world.fake.domains.get(domain)?.mailFrom?.domain).toBe(`bounces.${domain}`);
  });

  it('stores AWS’s reason for rejecting a domain', async () => {
    const world = await newWorld();
    await setDomain(world);
    world.fake.putForeign(domain);

    await checkDomains(world);

    expect((await world.read()).identity?.wanted).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('not for this organization'),
    });
  });

  it('gives a domain up after a week, and releases it', async () => {
    const [world, other] = await openTwoIdentityWorlds();
    const { fake } = world;
    await setDomain(world);
    world.pass(givenUpAfterMs);

    await checkDomains(world);
    await checkDomains(world);

    const { identity } = await world.read();
    expect(identity).toMatchObject({ wanted: { status: 'failed' }, removing: [] });
    expect(identity?.wanted?.reason).toContain('Gave up after a week');
    expect(identity).not.toHaveProperty('nextCheckAt');
    expect((await setDomain(other)).status).toBe('pending');
    expect((await setDomain(world, 'other.example')).status).toBe('pending');
    expect(fake.domains.get(domain)?.ownerId).toBe(other.organizationId);
  });

  it('replaces the identity in use, and removes its domain from SES', async () => {
    const world = await newWorld();
    await useDomain(world);
    await setDomain(world, 'next.example');

    await verifyDomains(world, 'next.example');

    expect((await world.read()).organization?.identity?.domain).toBe('next.example');
    expect([...world.fake.domains.keys()]).toEqual(['next.example']);
  });

  it("postpones an identity that can't be checked, and checks the others", async () => {
    const [ill, well] = await openTwoIdentityWorlds();
    const { fake } = ill;
    await setDomain(ill, 'ill.example');
    await setDomain(well);
    fake.verify(domain, 'SUCCESS');
    const ses = {
      ...ill.management.ses,
      get: async (one: string) => {
        if (one === 'ill.example') throw new Error('SES is silent');
        return fake.ses.get(one);
      },
    };

    await checkIdentities(dueOf(ill, well), { ...well.checks, ses }, ill.log);

    expect(await statusOf(well)).toBe('active');
    expect(await pauseOf(ill)).toBe(15 * 60_000);
    expect(ill.lines).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'identity not checked' }),
    );
  });

  it('fails when it can check none, so that the alarm goes off, and postpones all', async () => {
    const [first, second] = await openTwoIdentityWorlds();
    await setDomain(first, 'first.example');
    await setDomain(second);
    const ses = {
      ...first.management.ses,
      get: async () => {
        throw new Error('AccessDenied');
      },
    };

    const run = checkIdentities(dueOf(first, second), { ...first.checks, ses }, first.log);

    await expect(run).rejects.toThrow('no identity could be checked');
    for (const world of [first, second]) expect(await pauseOf(world)).toBeGreaterThan(14 * 60_000);
  });

  it('fails when it can read none', async () => {
    const world = await newWorld();
    await setDomain(world);
    await spoil(world);

    const run = checkIdentities(dueOf(world), world.checks, world.log);

    await expect(run).rejects.toThrow('no identity could be checked');
  });

  it("skips what it can't read, and checks the others", async () => {
    const [ill, well] = await openTwoIdentityWorlds();
    await setDomain(ill, 'ill.example');
    await setDomain(well);
    ill.fake.verify(domain, 'SUCCESS');
    await spoil(ill);

    await checkIdentities(dueOf(ill, well), well.checks, ill.log);

    expect(await statusOf(well)).toBe('active');
    expect(ill.lines).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'identity not checked' }),
    );
  });

  it('stops when SES throttles, and leaves the others due', async () => {
    const [first, second] = await openTwoIdentityWorlds();
    const { fake } = first;
    await setDomain(first, 'first.example');
    await setDomain(second);
    fake.verify(domain, 'SUCCESS');
    const asked: string[] = [];
    const ses = {
      ...first.management.ses,
      get: async (one: string) => {
        asked.push(one);
        throw new ServiceError('provider_throttled', 'SES throttles');
      },
    };
    const due = async () => [
      (await first.read()).identity?.nextCheckAt,
      (await second.read()).identity?.nextCheckAt,
    ];
    const before = await due();

    await checkIdentities(dueOf(first, second), { ...first.checks, ses }, first.log);

    expect(asked).toEqual(['first.example']);
    expect(await due()).toEqual(before);
    expect(first.lines).toContainEqual(
      expect.objectContaining({ fields: { left: 2, isThrottled: true } }),
    );
  });

  it('goes one by one with a pause, and starts none after its time', async () => {
    const [first, second] = await openTwoIdentityWorlds();
    const { fake } = first;
    await setDomain(first, 'first.example');
    await setDomain(second);
    fake.verify('first.example', 'SUCCESS');
    fake.verify(domain, 'SUCCESS');
    const pauses: number[] = [];
    const sleep = async (milliseconds: number) => {
      pauses.push(milliseconds);
      first.pass(100_000);
    };

    await checkIdentities(dueOf(first, first, second), { ...first.checks, sleep }, first.log);

    expect(pauses).toEqual([1_000]);
    expect(await statusOf(first)).toBe('active');
    expect(await statusOf(second)).toBe('pending');
  });

  it('takes those that are due, and no others', async () => {
    const world = await newWorld();
    await setDomain(world);
    const due = (await world.read()).identity?.nextCheckAt ?? 0;
    world.pass(due - world.now() - 1);
    world.fake.verify(domain, 'SUCCESS');

    await checkDueIdentities(world.checks, world.log);
    const early = await statusOf(world);
    world.pass(1);
    await checkDueIdentities(world.checks, world.log);

    expect([early, await statusOf(world)]).toEqual(['pending', 'active']);
  });

  it('has nothing to do when the identity is gone', async () => {
    const world = await newWorld();

    await checkDomains(world);

    expect(world.effects()).toEqual([]);
  });
});

describe('the domain in use while a replacement is pending', () => {
  /** Its domain is active, and `next.example` is to replace it. */
  async function newReplacement(options = {}) {
    const world = await newWorld(options);
    await useDomain(world);
    await world.settleNotices();
    await setDomain(world, 'next.example');
    world.fake.calls.length = 0;
    return world;
  }

  async function giveUpNext(world: IdentityWorld) {
    world.pass(givenUpAfterMs);
    await checkDomains(world);
    world.fake.calls.length = 0;
  }

  const inUse = async (world: IdentityWorld) => (await world.read()).organization?.identity;
  const causes = async (world: IdentityWorld) =>
    (await world.notices()).map(({ cause, about }) => `${cause} ${about}`);

  it('is refused with a notice once SES has lost it, and sends again once SES has it back', async () => {
    const world = await newReplacement();
    world.fake.verify(domain, 'FAILED', 'HOST_NOT_FOUND');
    await checkDomains(world);
    const lost = await inUse(world);
    const notices = await world.notices();
    await world.settleNotices();

    await verifyDomains(world, domain);

    expect(lost).toMatchObject({ domain, status: 'pending' });
    expect(notices).toMatchObject([{ cause: 'identity_lost', about: domain }]);
    expect(notices[0]?.text).toContain('HOST_NOT_FOUND');
    expect(notices[0]?.text).toContain('next.example');
    expect(await inUse(world)).toMatchObject({ domain, status: 'active' });
    expect((await world.read()).identity?.wanted).toMatchObject({
      domain: 'next.example',
      status: 'pending',
    });
  });

  it('is lost when SES no longer has it', async () => {
    const world = await newReplacement({ tenant: () => ({ sending: 'enabled' }) });
    world.fake.domains.delete(domain);
    world.tenants.length = 0;

    await checkDomains(world);

    expect(await inUse(world)).toMatchObject({ domain, status: 'pending' });
    expect(await causes(world)).toEqual([`identity_lost ${domain}`]);
    expect(world.tenants).toEqual([`${world.organizationId} has `]);
  });

  it('keeps sending while SES looks for its records again', async () => {
    const world = await newReplacement();
    world.fake.verify(domain, 'TEMPORARY_FAILURE');

    await checkDomains(world);

    expect(await inUse(world)).toMatchObject({ domain, status: 'active' });
    expect(await world.notices()).toEqual([]);
  });

  it('costs one more call to SES until it is replaced', async () => {
    const world = await newReplacement();
    await checkDomains(world);
    const before = [...world.fake.calls];
    await verifyDomains(world, 'next.example');
    world.fake.calls.length = 0;

    await checkDomains(world);

    expect(before).toEqual([`get ${domain}`, 'get next.example']);
    expect(world.fake.calls).toEqual(['get next.example']);
  });

  it("doesn't send again once it belongs to another organization", async () => {
    const [world, other] = await openTwoIdentityWorlds();
    await useDomain(world);
    await setDomain(world, 'next.example');
    world.fake.publishers.delete(world.organizationId);
    await setDomain(other);

    await checkDomains(world);

    expect(await inUse(world)).toMatchObject({ domain, status: 'pending' });
    expect(await inUse(other)).toMatchObject({ domain, status: 'active' });
  });

  it('is checked daily after its replacement was given up', async () => {
    const world = await newReplacement();
    await giveUpNext(world);
    const pause = await pauseOf(world);
    world.pass(pause);
    await checkDomains(world);
    const calls = [...world.fake.calls];
    const pauseAfterwards = await pauseOf(world);
    world.fake.verify(domain, 'FAILED');

    await checkDomains(world);

    expect([pause, pauseAfterwards]).toEqual([6 * 3_600_000, dayMs]);
    expect(calls).toEqual([`get ${domain}`]);
    expect(await inUse(world)).toMatchObject({ domain, status: 'pending' });
    expect(await causes(world)).toEqual([`identity_lost ${domain}`]);
    expect(world.fake.domains.has('next.example')).toBe(false);
  });

  it('sends again after its replacement was given up, once SES has it', async () => {
    const world = await newReplacement();
    world.fake.verify(domain, 'FAILED');
    await giveUpNext(world);
    await checkDomains(world);
    const pause = await pauseOf(world);

    await verifyDomains(world, domain);

    expect(pause).toBe(6 * 3_600_000);
    expect(await inUse(world)).toMatchObject({ domain, status: 'active' });
    expect(await statusOf(world)).toBe('failed');
  });

  it('is still checked after the operator released its replacement', async () => {
    const world = await newReplacement();
    const { identity: before } = await world.read();
    if (before === undefined) throw new Error('There is no identity');
    const after = afterRelease(before, 'next.example', world.now());
    await storeIdentityChange(world.management.table, { before, after }, {});
    await checkDomains(world);
    world.fake.calls.length = 0;

    await checkDomains(world);

    expect(world.fake.calls).toEqual([`get ${domain}`]);
    expect(await pauseOf(world)).toBe(dayMs);
  });

  it('has its replacement restarted when that is set again', async () => {
    const world = await newReplacement();
    await giveUpNext(world);
    await setDomain(world, 'next.example');

    await verifyDomains(world, 'next.example');

    expect(await inUse(world)).toMatchObject({ domain: 'next.example', status: 'active' });
    expect([...world.fake.domains.keys()]).toEqual(['next.example']);
  });

  it("still has its tenant's status checked after its replacement was given up", async () => {
    let state: TenantState = { sending: 'enabled' };
    const world = await newReplacement({ tenant: () => state });
    await giveUpNext(world);
    world.tenants.length = 0;
    state = { sending: 'paused', reason: 'High bounce rate' };

    await checkDomains(world);

    expect(world.tenants).toEqual([`${world.organizationId} has ${domain}`]);
    expect((await world.read()).organization?.tenant).toEqual(state);
    expect(await causes(world)).toEqual([`tenant_paused ${world.organizationId}`]);
    expect(await pauseOf(world)).toBe(3_600_000);
  });

  it('ends the schedule of an abandoned replacement once it is no longer in use', async () => {
    const world = await newReplacement();
    await giveUpNext(world);
    const { identity: before } = await world.read();
    if (before === undefined) throw new Error('There is no identity');
    const after = { ...before, updatedAt: before.updatedAt + 1 };
    await storeIdentityChange(world.management.table, { before, after }, { identity: null });

    await checkDomains(world);

    expect((await world.read()).identity).not.toHaveProperty('nextCheckAt');
  });
});

describe('an organization that is an SES tenant', () => {
  it('gets every domain that its sends may use before they name the tenant', async () => {
    const world = await newWorld({ tenant: () => ({ sending: 'enabled' }) });
    await useDomain(world);
    world.tenants.length = 0;

    await useDomain(world, 'next.example');

    expect(world.tenants).toEqual([
      `${world.organizationId} has ${domain}`,
      `${world.organizationId} has next.example, ${domain}`,
      `${world.organizationId} loses ${domain}`,
    ]);
    expect((await world.read()).organization?.tenant).toEqual({ sending: 'enabled' });
  });

  it('sets another domain after losing the first, and keeps only what it may send from', async () => {
    const world = await newWorld({ tenant: () => ({ sending: 'enabled' }) });
    await useDomain(world);
    world.fake.verify(domain, 'FAILED');
    await checkDomains(world);
    world.fake.domains.delete(domain);
    world.tenants.length = 0;

    const identity = await setDomain(world, 'next.example');

    expect(identity.status).toBe('pending');
    expect(world.tenants).toEqual([`${world.organizationId} has `]);
  });

  it('is paused when SES pauses it, is checked each hour, and resumes when SES lets it', async () => {
    let state: TenantState = { sending: 'enabled' };
    const world = await newWorld({ tenant: () => state });
    await setDomain(world);
    world.fake.verify(domain, 'SUCCESS');
    state = { sending: 'paused', reason: 'High bounce rate' };

    await checkDomains(world);
    const paused = (await world.read()).organization?.tenant;
    const pause = await pauseOf(world);
    state = { sending: 'enabled' };
    await checkDomains(world);

    expect(paused).toEqual({ sending: 'paused', reason: 'High bounce rate' });
    expect(pause).toBe(3_600_000);
    expect((await world.read()).organization?.tenant).toEqual({ sending: 'enabled' });
  });

  it('gets the domains that became active while tenants were off before its sends name it again', async () => {
    const memory = openMemoryTable();
    const organization = { tenant: { sending: 'paused' as const }, domainsVersion: 3 };
    const off = await openIdentityWorld(memory, { organization });
    await useDomain(off);
    const whileOff = await off.read();
    const tenants: string[] = [];
    const ensure = async (_: string, domains: readonly string[]): Promise<TenantState> => {
      tenants.push(...domains);
      return { sending: 'enabled' };
    };
    const none = async () => {};
    await checkDomains(off, { tenants: { ensure, dissociate: none, delete: none } });

    expect(whileOff.organization).not.toHaveProperty('tenant');
    expect(whileOff.organization?.domainsVersion).toBe(4);
    expect(tenants).toEqual([domain]);
    expect((await off.read()).organization?.tenant).toEqual({ sending: 'enabled' });
  });

  it('loses a domain before SES deletes it', async () => {
    const world = await newWorld({ tenant: () => ({ sending: 'enabled' }) });
    await setDomain(world);
    await setDomain(world, 'next.example');

    expect(world.tenants).toContain(`${world.organizationId} loses ${domain}`);
    expect(world.fake.domains.has(domain)).toBe(false);
  });
});

describe("an organization's notices", () => {
  const causesOf = (world: IdentityWorld) => async () =>
    (await world.notices()).map(({ cause, about }) => `${cause} ${about}`);

  it('say that its domain is verified, lost and verified again, each once a day', async () => {
    const world = await newWorld();
    const causes = causesOf(world);
    await useDomain(world);
    await checkDomains(world);
    const verified = await causes();
    world.fake.verify(domain, 'FAILED', 'HOST_NOT_FOUND');
    await checkDomains(world);
    const lost = await world.notices();
    await verifyDomains(world, domain);
    world.fake.verify(domain, 'FAILED', 'HOST_NOT_FOUND');
    await checkDomains(world);

    expect(verified).toEqual([`identity_active ${domain}`]);
    expect(lost.map(({ text }) => text)).toContainEqual(expect.stringContaining('HOST_NOT_FOUND'));
    expect(await causes()).toEqual([`identity_active ${domain}`, `identity_lost ${domain}`]);
  });

  it('say nothing about a domain that was never active', async () => {
    const world = await newWorld();
    await setDomain(world);
    world.fake.verify(domain, 'FAILED');

    await checkDomains(world);

    expect(await world.notices()).toEqual([]);
  });

  it('contain no address', async () => {
    const world = await newWorld();
    await setDomain(world);

    await verifyDomains(world, domain);

    expect(JSON.stringify(await world.notices())).not.toContain('hello@');
  });

  it("give AWS's reason for a pause, once while it lasts", async () => {
    let state: TenantState = { sending: 'enabled' };
    const world = await newWorld({ tenant: () => state });
    const causes = causesOf(world);
    await setDomain(world);
    state = { sending: 'paused', reason: 'High bounce rate' };
    await checkDomains(world);
    const [notice] = await world.notices();
    world.pass(dayMs);

    await checkDomains(world);

    expect(notice).toMatchObject({ cause: 'tenant_paused', about: world.organizationId });
    expect(notice?.text).toContain('High bounce rate');
    expect(await causes()).toEqual([`tenant_paused ${world.organizationId}`]);
  });

  it.each(['before', 'after'] as const)(
    'are stored when the domain is lost, even if the check dies right %s storing that',
    async (when) => {
      const world = await newWorld();
      const causes = causesOf(world);
      await useDomain(world);
      world.fake.verify(domain, 'FAILED');
      world.begin({ effect: 1, when });
      await checkDomains(world).catch(() => undefined);
      const isStored = (await world.read()).organization?.identity?.status === 'pending';
      const causesThen = await causes();
      world.begin();

      await checkDomains(world);

      expect(isStored).toBe(when === 'after');
      expect(causesThen.includes(`identity_lost ${domain}`)).toBe(isStored);
      expect(await causes()).toEqual([`identity_active ${domain}`, `identity_lost ${domain}`]);
    },
  );
});

describe('a deleted organization', () => {
  const withTenant = { tenant: () => ({ sending: 'enabled' }) as const };

  it('leaves nothing in SES, and its domains to others', async () => {
    const [world, other] = await openTwoIdentityWorlds(withTenant, {});
    const { fake } = world;
    await useDomain(world);
    await setDomain(world, 'next.example');
    await world.deleteOrganization();

    await checkDomains(world);

    expect([...fake.domains.keys()]).toEqual([]);
    expect(world.tenants).toContain(`${world.organizationId} is gone`);
    expect(await world.read()).toMatchObject({
      organization: undefined,
      identity: undefined,
    });
    expect((await setDomain(other)).status).toBe('pending');
    expect((await setDomain(other, 'next.example')).status).toBe('pending');
  });

  it('leaves nothing even when it had only a tenant', async () => {
    const world = await openIdentityWorld(openMemoryTable(), {
      ...withTenant,
      organization: { tenant: { sending: 'enabled' } },
    });
    await world.deleteOrganization();

    await checkDomains(world);

    expect(world.tenants).toEqual([`${world.organizationId} is gone`]);
    expect(await world.read()).toMatchObject({
      organization: undefined,
      identity: undefined,
    });
  });

  it("doesn't get back a domain that was set at the same moment", async () => {
    const memory = openMemoryTable();
    const world = await openIdentityWorld(memory, withTenant);
    // The first write counts the change, the second stores the domain.
    const table = interceptWrites(async (write) => {
      if (write === 2) await world.deleteOrganization();
    }, memory.open);
    await setDomain(world, domain, { ...world.management, table }).catch(() => {});

    await checkDomains(world);

    expect([...world.fake.domains.keys()]).toEqual([]);
    expect(await world.read()).toMatchObject({
      organization: undefined,
      identity: undefined,
    });
  });

  it.each(
    [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((effect) => [
      { effect, when: 'before' as const },
      { effect, when: 'after' as const },
    ]),
  )('is removed from SES by the next check when one dies $when effect $effect', async (doom) => {
    const world = await newWorld(withTenant);
    await useDomain(world);
    await setDomain(world, 'next.example');
    await world.deleteOrganization();
    world.begin(doom);
    await checkDomains(world).catch(() => undefined);
    world.begin();
    // The lease of the process that died is over by then.
    world.pass(leaseMs);

    await checkDomains(world);

    expect([...world.fake.domains.keys()]).toEqual([]);
    expect(await world.read()).toMatchObject({
      organization: undefined,
      identity: undefined,
    });
  });
});
