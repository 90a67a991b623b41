import { describe, expect, it } from 'vitest';
import { leaseMs, ownershipRecordValue } from '#shared/domains/domain-ownership';
import { beginDomainLease } from '#shared/identity/domain-store';
import { movedAway } from '#shared/identity/identity';
import { verdictFor } from '#shared/identity/settle-ownership';
import { showIdentity } from '#shared/identity/show-identity';
import { endpoint as deleteIdentity } from '../../../functions/delete-identity/delete-identity.ts';
import { endpoint as setIdentity } from '../../../functions/set-identity/set-identity.ts';
import {
  checkDomains as check,
  Death,
  type IdentityWorld,
  type IdentityWorldOptions,
  openTwoIdentityWorlds,
} from '../../support/identity-world.ts';
import { surroundings } from '../../support/surroundings.ts';

const domain = 'mail.example.com';

const set = (world: IdentityWorld, mailFromLabel = 'bounces') =>
  setIdentity.run(
    {
      ...surroundings,
      ...world.request,
      body: { domain, fromEmail: `hello@${domain}`, mailFromLabel },
    },
    world.management,
  );
const get = async (world: IdentityWorld) => showIdentity(await world.read(), world.management);
const remove = (world: IdentityWorld) =>
  deleteIdentity.run({ ...surroundings, ...world.request }, world.management);
const sends = async (world: IdentityWorld) =>
  (await world.read()).organization?.identity?.status === 'active';

/** Organization A owns the domain and sends from it; B's record is not in DNS. */
async function twoOrganizations(options: IdentityWorldOptions = {}) {
  const [a, b, memory] = await openTwoIdentityWorlds(options, { isUnproven: true, ...options });
  const { fake } = a;
  await set(a);
  fake.verify(domain, 'SUCCESS');
  await check(a);
  const publish = (...worlds: readonly IdentityWorld[]) => {
    fake.publishers.clear();
    for (const { organizationId } of worlds) fake.publishers.add(organizationId);
  };
  return { memory, fake, a, b, publish };
}

describe('a domain with an owner', () => {
  it('is not lost to another organization that sets it, whatever SES says of its DKIM records', async () => {
    const { a, b } = await twoOrganizations();

    const answer = await set(b);
    await check(b);
    const seen = await get(b);

    expect([answer.status, seen.status]).toEqual(['pending', 'pending']);
    expect(seen).not.toHaveProperty('reason');
    expect([await sends(a), await sends(b)]).toEqual([true, false]);
  });

  it('stays with its owner while its record is in DNS, and another organization with proof learns why', async () => {
    const { a, b, publish } = await twoOrganizations();
    await set(b);

    publish(a, b);
    const seen = await get(b);

    expect(seen.status).toBe('pending');
    expect(seen.reason).toContain('Another organization of this service sends from the domain');
    expect([await sends(a), await sends(b)]).toEqual([true, false]);
  });

  it('stays with its owner without its record as long as nobody else proves ownership', async () => {
    const { a, publish } = await twoOrganizations();

    publish();
    await check(a);

    expect(await sends(a)).toBe(true);
    expect((await get(a)).records[0]).toMatchObject({ purpose: 'ownership', state: 'missing' });
  });

  it('moves when DNS has another organization’s record instead of the owner’s, and notifies the old owner', async () => {
    const { fake, a, b, publish } = await twoOrganizations();
    await set(b, 'news');

    publish(b);
    const seen = await get(b);

    expect(seen).toMatchObject({ status: 'active', sendingAs: { domain } });
    expect([await sends(a), await sends(b)]).toEqual([false, true]);
    expect(fake.domains.get(domain)).toMatchObject({
      ownerId: b.organizationId,
      mailFrom: { domain: `news.${domain}` },
    });
    expect((await a.read()).identity?.wanted).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('has moved to another organization'),
    });
    expect((await a.notices()).map(({ cause }) => cause)).toContain('identity_lost');
  });

  it('moves back by the same rule only', async () => {
    const { a, b, publish } = await twoOrganizations();
    await set(b);
    publish(b);
    await check(b);

    publish(a, b);
    await check(a);
    const whileBoth = await sends(a);
    publish(a);
    await check(a);

    expect(whileBoth).toBe(false);
    expect([await sends(a), await sends(b)]).toEqual([true, false]);
  });

  it("stays with its owner while DNS doesn't answer", async () => {
    const { a, b, publish } = await twoOrganizations();
    await set(b);
    publish(b);
    const dns = { ...b.management.dns, textsOf: async () => 'unanswered' as const };

    await check(b, { dns });

    expect([await sends(a), await sends(b)]).toEqual([true, false]);
  });

  it("can't be restarted in SES by another organization", async () => {
    const { fake, b } = await twoOrganizations();
    fake.verify(domain, 'FAILED');
    b.begin();

    await set(b);

    expect(b.effects()).not.toContain('delete');
  });

  it('leaves the previous owner’s tenant when it moves, even if a process dies in between', async () => {
    const { a, b, publish } = await twoOrganizations({ tenant: () => ({ sending: 'enabled' }) });
    await set(b);
    publish(b);
    b.tenants.length = 0;
    b.begin({ effect: 1, when: 'after' });

    await check(b).catch(() => undefined);
    const thenLeft = [...b.tenants];
    b.begin();
    await check(b);

    expect(thenLeft).toEqual([]);
    expect(b.tenants).toContain(`${a.organizationId} loses ${domain}`);
  });
});

describe('an unowned domain', () => {
  it('is not verified for the next organization by old CNAMEs still in DNS', async () => {
    const { fake, a, b } = await twoOrganizations();
    await remove(a);

    await set(b);
    fake.verify(domain, 'SUCCESS');
    await check(b);

    expect(await sends(b)).toBe(false);
    expect((await b.read()).identity?.wanted?.status).toBe('pending');
  });

  it('goes to the first organization that proves it, even when several wait', async () => {
    const [one, other] = await openTwoIdentityWorlds({ isUnproven: true });
    const { fake } = one;
    await set(one);
    await set(other);
    fake.verify(domain, 'SUCCESS');
    fake.publishers.add(other.organizationId);

    await check(one);
    await check(other);

    expect([await sends(one), await sends(other)]).toEqual([false, true]);
    expect(fake.domains.get(domain)?.ownerId).toBe(other.organizationId);
  });

  it('stays in SES with its records for the organizations still waiting when the first one leaves', async () => {
    const [one, other] = await openTwoIdentityWorlds({ isUnproven: true });
    const { fake } = one;
    await set(one);
    await set(other);

    await remove(one);
    const kept = fake.domains.get(domain)?.ownerId;
    await remove(other);

    expect(kept).toBe(other.organizationId);
    expect(fake.domains.has(domain)).toBe(false);
  });
});

describe('removing a domain', () => {
  it('deletes nothing when it was frozen until its lease expired and another organization owns the domain', async () => {
    const { fake, a, b, publish } = await twoOrganizations();
    const { ses } = a.management;
    let isFrozen = false;
    const frozen = {
      ...ses,
      get: async (name: string) => {
        const found = await ses.get(name);
        if (isFrozen) return found;
        isFrozen = true;
        // Another run removes the domain in between, and B gets it.
        a.pass(leaseMs);
        await check(a);
        publish(b);
        b.pass(2 * leaseMs);
        await set(b);
        fake.verify(domain, 'SUCCESS');
        await check(b);
        return found;
      },
    };

    await deleteIdentity.run({ ...surroundings, ...a.request }, { ...a.management, ses: frozen });

    expect(fake.domains.get(domain)?.ownerId).toBe(b.organizationId);
    expect(await sends(b)).toBe(true);
  });

  it("doesn't start while another removal is under way", async () => {
    const { a } = await twoOrganizations();
    await beginDomainLease(a.management.table, domain, a.organizationId, a.now());

    await remove(a);

    expect(a.fake.domains.has(domain)).toBe(true);
    expect((await a.read()).identity?.removing).toEqual([domain]);
  });

  it('keeps the domain in SES when another organization claims it in between', async () => {
    const { fake, a, b } = await twoOrganizations();
    const { ses } = a.management;
    const meanwhile = {
      ...ses,
      delete: async (name: string) => {
        const { records } = await set(b);
        expect(records.map(({ purpose }) => purpose)).not.toContain('dkim');
        await ses.delete(name);
      },
    };
    await deleteIdentity.run(
      { ...surroundings, ...a.request },
      { ...a.management, ses: meanwhile },
    );

    await check(b);

    expect(fake.domains.get(domain)?.ownerId).toBe(b.organizationId);
    expect((await get(b)).records.filter(({ purpose }) => purpose === 'dkim')).toHaveLength(3);
  });

  it("doesn't stop the sends of an owner whose check meets its lease", async () => {
    const { a, b } = await twoOrganizations();
    await beginDomainLease(b.management.table, domain, b.organizationId, a.now());

    await check(a);

    expect(await sends(a)).toBe(true);
  });
});

describe('a domain that moved away', () => {
  it.each([movedAway, movedAway.replace(/: .*/, ', in the words of another version.')])(
    'stays failed with the stored reason, even if it ends in other words: %s',
    (reason) => {
      const verdict = verdictFor({ status: 'active' }, { reason }, { holding: 'unproven' });

      expect(verdict).toEqual({ status: 'failed', reason });
    },
  );
});

describe('a process that dies', () => {
  it.each(
    [1, 2, 3, 4, 5, 6, 7].flatMap((effect) => [
      { effect, when: 'before' as const },
      { effect, when: 'after' as const },
    ]),
  )(
    '$when effect $effect of a move leaves the domain to exactly one organization, and the next check completes it',
    async (doom) => {
      const { fake, a, b, publish } = await twoOrganizations();
      await set(b, 'news');
      publish(b);
      b.begin(doom);
      await get(b).catch((error: unknown) => {
        if (!(error instanceof Death)) throw error;
      });
      const between = [await sends(a), await sends(b)];
      b.begin();
      b.pass(leaseMs);

      await check(b);

      expect(between).not.toEqual([true, true]);
      expect([await sends(a), await sends(b)]).toEqual([false, true]);
      expect(fake.domains.get(domain)).toMatchObject({
        ownerId: b.organizationId,
        mailFrom: { domain: `news.${domain}` },
      });
    },
  );
});

describe('the ownership record', () => {
  it('is specific to one organization and one domain', async () => {
    const { a, b } = await twoOrganizations();
    const values = [
      ownershipRecordValue(domain, a.organizationId),
      ownershipRecordValue(domain, b.organizationId),
      ownershipRecordValue(`x.${domain}`, a.organizationId),
    ];

    expect(new Set(values).size).toBe(3);
    expect(values.join()).not.toContain(a.organizationId);
  });
});
