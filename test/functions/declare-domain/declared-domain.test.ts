import { describe, expect, it } from 'vitest';
import { ServiceError } from '#shared/errors/service-error';
import {
  beginDomainLease,
  endDomainLease,
  readDomainOwnership,
} from '#shared/identity/domain-store';
import { listIdentities, storeIdentityChange } from '#shared/identity/identity-store';
import { removeDomain } from '#shared/identity/set-domain';
import {
  type DomainAsked,
  declareDomain,
  notVerified,
  removeDeclaredDomain,
  untilVerified,
} from '../../../functions/declare-domain/declared-domain.ts';
import { interceptWrites, openDisturbedTable } from '../../support/disturbed-table.ts';
import {
  checkDomains,
  createFakeSes,
  Death,
  type IdentityWorldOptions,
  openIdentityWorld,
  setDomain,
  useDomain,
} from '../../support/identity-world.ts';
import { interrupted } from '../../support/interrupted-calls.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

const domain = 'shop.example';

async function newWorld(memory = openMemoryTable(), options: IdentityWorldOptions = {}) {
  const fake = options.fake ?? createFakeSes();
  const world = await openIdentityWorld(memory, { isUnproven: true, ...options, fake });
  const { organizationId, management, log } = world;
  const { table } = memory;
  const polls: number[] = [];
  const declaring = {
    ...management,
    log,
    sleep: async (milliseconds: number) => {
      polls.push(milliseconds);
      world.pass(milliseconds);
    },
  };
  const asked = (requestId: string, name = 'domain') => ({
    ...{ organizationId, domain, declarer: `${name} ${organizationId}`, requestId },
  });
  return {
    ...world,
    fake,
    declaring,
    polls,
    inSes: () => fake.domains.get(domain),
    existing: () => readDomainOwnership(table, domain, world.now()),
    status: async () => (await world.read()).identity?.wanted?.status,
    check: () => checkDomains(world),
    declare: (
      requestId: string,
      given: Partial<DomainAsked> = {},
      name?: string,
      changed: Partial<typeof declaring> = {},
    ) =>
      declareDomain(
        {
          ...asked(requestId, name),
          ...{ fromEmail: undefined, mailFromLabel: 'bounces', adopts: false, ...given },
        },
        { ...declaring, ...changed },
      ),
    remove: (
      requestId: string,
      name?: string,
      removed = domain,
      changed: Partial<typeof declaring> = {},
    ) =>
      removeDeclaredDomain(
        { ...asked(requestId, name), domain: removed },
        { ...declaring, ...changed },
      ),
    wait: (minutes: number) => untilVerified({ organizationId, domain }, minutes, declaring),
  };
}
type World = Awaited<ReturnType<typeof newWorld>>;

/** A domain that SES has of another program, as its owner has set it. */
function putOther({ fake }: Pick<World, 'fake'>) {
  fake.putForeign(domain);
  const before = fake.domains.get(domain);
  if (before === undefined) throw new Error('no domain');
  const set = { ...before, mailFrom: { domain: `mail.${domain}`, status: 'SUCCESS' as const } };
  fake.domains.set(domain, set);
  return set;
}

/** SES, which throttles the first call. */
function throttledOnce({ declaring }: World) {
  let isThrottled = false;
  return interrupted(declaring.ses, async () => {
    if (isThrottled) return;
    isThrottled = true;
    throw new ServiceError('provider_throttled');
  });
}

describe('declareDomain', () => {
  it('sets the domain, which the organization owns without a TXT record, and returns its records', async () => {
    const world = await newWorld();

    const declared = await world.declare('create');

    expect(declared).toMatchObject({ publishes: true, publishesDmarc: true });
    expect(declared.records.map(({ type, name, value }) => `${type} ${name} ${value}`)).toEqual([
      ...['a', 'b', 'c'].map(
        (token) => `CNAME ${token}._domainkey.${domain} ${token}.dkim.example`,
      ),
      `MX bounces.${domain} 10 feedback-smtp.eu-west-1.amazonses.com`,
      `TXT bounces.${domain} v=spf1 include:amazonses.com ~all`,
      `TXT _dmarc.${domain} v=DMARC1; p=none;`,
    ]);
    world.fake.verify(domain, 'SUCCESS');
    await world.wait(1);
    expect(await world.status()).toBe('active');
  });

  it("publishes no DMARC record where a policy applies, even a parent's, or DNS doesn't answer", async () => {
    const answers = [
      async (name: string) => (name === `_dmarc.${domain}` ? ['v=DMARC1; p=reject'] : []),
      async (name: string) => (name === '_dmarc.example' ? ['v=DMARC1; p=reject'] : []),
      async () => 'unanswered' as const,
    ];
    for (const textsOf of answers) {
      const world = await newWorld(undefined, { dns: { textsOf } });

      expect(await world.declare('create')).toMatchObject({ publishesDmarc: false });
    }
  });

  it('returns the same after its own records are in DNS', async () => {
    const world = await newWorld();
    const first = await world.declare('create');
    world.fake.verify(domain, 'SUCCESS');
    Object.assign(world.management.dns, { textsOf: async () => ['v=DMARC1; p=none;'] });

    expect(await world.declare('update', { fromEmail: `post@${domain}` })).toEqual(first);
    expect((await world.read()).identity?.wanted).toMatchObject({ fromEmail: `post@${domain}` });
  });

  it('ignores a late request', async () => {
    const world = await newWorld();
    await world.declare('create');
    await world.declare('update', { fromEmail: `post@${domain}` });

    await world.declare('create');

    expect((await world.read()).identity?.wanted).toMatchObject({ fromEmail: `post@${domain}` });
  });

  it.each(['before', 'after'] as const)(
    'completes the work of a process that died %s any effect, or else its deletion leaves nothing',
    async (when) => {
      for (const ending of ['again', 'rolled back']) {
        for (let effect = 1, died = true; died; effect += 1) {
          const world = await newWorld();
          world.begin({ effect, when });
          died = await world.declare('create').then(
            () => false,
            (error: unknown) => error instanceof Death,
          );
          world.begin();
          world.pass(200_000);

          if (ending === 'again') {
            await world.declare('create');
            expect(world.inSes()).toMatchObject({ mailFrom: { domain: `bounces.${domain}` } });
          } else {
            await world.remove('rollback');
            // Before the first effect there was nothing.
            expect(world.inSes()).toBeUndefined();
            expect(await world.status()).toBeUndefined();
            expect(await world.existing()).toMatchObject({ owner: undefined, claims: [] });
          }
        }
      }
    },
  );

  it('waits for a domain that another process is creating in SES, so that it gets all records', async () => {
    const world = await newWorld();
    const { table } = world.management;
    const lease = await beginDomainLease(table, domain, world.organizationId, world.now());
    const sleep = async () => {
      if (lease !== undefined) await endDomainLease(table, domain, lease);
    };

    const { records } = await world.declare('create', {}, 'domain', { sleep });

    expect(records.filter(({ purpose }) => purpose === 'dkim')).toHaveLength(3);
  });

  it("continues when a dead process's lease has expired", async () => {
    const world = await newWorld();
    await beginDomainLease(world.declaring.table, domain, world.organizationId, world.now());

    const { records } = await world.declare('create');

    expect(records.filter(({ purpose }) => purpose === 'dkim')).toHaveLength(3);
  });

  it('retries after SES has throttled a call', async () => {
    const world = await newWorld();
    await world.declare('create');
    const change = { fromEmail: `post@${domain}` };

    await world.declare('update', change, 'domain', { ses: throttledOnce(world) });

    expect((await world.read()).identity?.wanted).toMatchObject(change);
    expect(world.polls).toEqual([5_000]);
  });

  it('refuses a domain that SES has for another owner', async () => {
    const world = await newWorld();
    const other = putOther(world);

    expect((await serviceErrorOf(() => world.declare('create'))).code).toBe('domain_taken');
    await world.remove('rollback');

    expect(world.inSes()).toEqual(other);
  });
});

describe('an adopted domain', () => {
  it('sends at once, with its existing keys and MAIL FROM domain, and no new record', async () => {
    const world = await newWorld();
    const { dkim, mailFrom } = putOther(world);

    const declared = await world.declare('create', { adopts: true });

    expect(await world.status()).toBe('active');
    expect(declared.publishes).toBe(false);
    expect(world.inSes()).toMatchObject({ dkim, mailFrom, ownerId: world.organizationId });
    expect(world.effects()).not.toContain('delete');
    expect(world.effects()).not.toContain('setMailFrom');
  });

  it.each(['the stack', 'its organization', 'the organization’s deletion'])(
    'is given back unchanged when %s removes it',
    async (who) => {
      const world = await newWorld();
      const other = putOther(world);
      await world.declare('create', { adopts: true });

      if (who === 'the stack') await world.remove('delete');
      else if (who === 'its organization') {
        await removeDomain({ ...world.request, path: { domain } }, world.management);
      } else {
        await world.deleteOrganization();
        await world.check();
      }

      expect(world.inSes()).toEqual(other);
      expect(await world.existing()).toMatchObject({
        owner: undefined,
        claims: [],
        adoption: undefined,
      });
    },
  );

  it('waits until IAM has seen the tag', async () => {
    const world = await newWorld();
    putOther(world);
    world.fake.deny(12);

    await world.declare('create', { adopts: true });

    expect(world.polls).toEqual(Array(12).fill(5_000));
    expect(await world.status()).toBe('active');
  });

  it('is given back unchanged when IAM allows nothing for four minutes', async () => {
    const world = await newWorld();
    const other = putOther(world);
    world.fake.deny(Number.POSITIVE_INFINITY);
    const refused = world.declare('create', { adopts: true });
    expect((await serviceErrorOf(() => refused)).code).toBe('provider_not_ready');
    world.fake.deny(1);

    await world.remove('rollback');

    expect(world.inSes()).toEqual(other);
    expect(await world.existing()).toMatchObject({ claims: [], adoption: undefined });
  });

  it.each(['before', 'after'] as const)(
    'is unchanged after a rollback if a process died %s any effect of taking or returning it while IAM saw the tag',
    async (when) => {
      for (const dying of ['create', 'rollback']) {
        for (let effect = 1, died = true; died; effect += 1) {
          const world = await newWorld();
          const other = putOther(world);
          const doom = { effect, when };
          const diesIn = async (step: string, run: () => Promise<unknown>) => {
            world.begin(step === dying ? doom : undefined);
            world.fake.deny(1);
            const error = await run().catch((thrown: unknown) => thrown);
            world.begin();
            world.fake.deny(0);
            world.pass(200_000);
            return error instanceof Death;
          };
          const diedFirst = await diesIn('create', () => world.declare('create', { adopts: true }));
          const diedThen = await diesIn('rollback', () => world.remove('rollback'));
          died = diedFirst || diedThen;

          await world.remove('rollback');

          expect(world.inSes(), `${dying} ${effect}`).toEqual(other);
          expect(await world.existing()).toMatchObject({ claims: [], adoption: undefined });
        }
      }
    },
  );

  it('is never deleted for a restart when SES has lost its keys', async () => {
    const world = await newWorld();
    putOther(world);
    await world.declare('create', { adopts: true });
    world.fake.verify(domain, 'FAILED');
    world.begin();

    await world.declare('update', { adopts: true });

    expect(world.effects()).not.toContain('delete');
  });

  it("can't be another organization's or an unverified one", async () => {
    const memory = openMemoryTable();
    const fake = createFakeSes();
    const first = await newWorld(memory, { fake });
    putOther(first);
    await first.declare('create', { adopts: true });
    const second = await newWorld(memory, { fake });
    await second.declare('create', { adopts: true });
    const third = await newWorld();
    putOther(third);
    third.fake.verify(domain, 'NOT_STARTED');
    const refusals = [await serviceErrorOf(() => third.declare('create', { adopts: true }))];
    const fourth = await newWorld();
    fourth.fake.domains.set(domain, { ...putOther(fourth), ownerId: 'org_elsewhere' });
    refusals.push(await serviceErrorOf(() => fourth.declare('create', { adopts: true })));

    expect(refusals.map(({ code }) => code)).toEqual(Array(2).fill('domain_taken'));
    expect([await first.status(), await second.status()]).toEqual(['active', 'pending']);
    expect(first.inSes()).toMatchObject({ ownerId: first.organizationId });
  });

  it('stays with another organization that the operator has vouched for since', async () => {
    const memory = openMemoryTable();
    const fake = createFakeSes();
    const first = await newWorld(memory, { fake });
    const other = putOther(first);
    await first.declare('create', { adopts: true });
    const second = await newWorld(memory, { fake });
    await second.declare('create');

    await first.remove('delete');

    expect(fake.domains.get(domain)).toMatchObject({ ownerId: second.organizationId });
    await second.remove('delete');
    expect(fake.domains.get(domain)).toEqual(other);
  });
});

describe('removeDeclaredDomain', () => {
  it('removes the domain from SES, once', async () => {
    const world = await newWorld();
    await world.declare('create');

    await world.remove('delete');
    await world.declare('next', {}, 'other');
    await world.remove('delete');

    expect(world.inSes()).toMatchObject({ ownerId: world.organizationId });
  });

  it('keeps a domain that the organization had before', async () => {
    const world = await newWorld();
    await setDomain(world, domain);
    await world.declare('create');

    await world.remove('delete');

    expect(await world.status()).toBe('pending');
  });

  it('keeps the domain in use that it was to replace, even after SES throttled', async () => {
    const world = await newWorld();
    world.fake.publishers.add(world.organizationId);
    await useDomain(world, 'old.example');
    await world.declare('create');
    await removeDomain({ ...world.request, path: { domain } }, world.management);
    await setDomain(world, domain);

    await world.remove('delete', 'domain', domain, { ses: throttledOnce(world) });

    expect((await world.read()).organization?.identity?.domain).toBe('old.example');
    expect([...world.fake.domains.keys()]).toEqual(['old.example']);
  });

  it('keeps a domain declared by a renamed resource, whether the rename succeeds or is rolled back', async () => {
    for (const goes of ['through', 'back']) {
      const world = await newWorld();
      await world.declare('create');
      world.fake.verify(domain, 'SUCCESS');
      const renamed = await world.declare('renamed', {}, 'renamed');

      await world.remove('cleanup', goes === 'through' ? 'domain' : 'renamed');

      expect(world.inSes()).toBeDefined();
      expect(renamed).toMatchObject({ publishes: true, publishesDmarc: true });
      await world.remove('delete', goes === 'through' ? 'renamed' : 'domain');
      expect(world.inSes()).toBeUndefined();
    }
  });

  it('retries while another process removes the domain, and fails if that lasts', async () => {
    const world = await newWorld();
    await world.declare('create');
    await beginDomainLease(world.declaring.table, domain, world.organizationId, world.now());

    await world.remove('delete');

    expect(world.inSes()).toBeUndefined();
    expect(world.polls.length).toBeGreaterThan(10);
  });
});

describe('several domains of an organization', () => {
  const other = 'other.example';
  const domainsOf = async ({ management, organizationId }: World) => {
    const all = await listIdentities(management.table, organizationId);
    return all.map(({ wanted }) => wanted?.domain).toSorted();
  };

  /** What another process does before each call of the first, one run for each. */
  async function beforeEachCall(
    prepare: (world: World) => Promise<unknown>,
    first: (world: World, changed: Partial<World['declaring']>) => Promise<unknown>,
    second: (world: World) => Promise<unknown>,
    expected: readonly string[],
  ) {
    for (let at = 1; ; at += 1) {
      const memory = openMemoryTable();
      const world = await newWorld(memory);
      await prepare(world);
      let calls = 0;
      const before = async () => {
        calls += 1;
        if (calls === at) await second(world);
      };
      const table = openDisturbedTable({ before }, memory.open);
      const { ses, dns } = world.declaring;
      await first(world, {
        table,
        ses: interrupted(ses, before),
        dns: interrupted(dns, before),
      });
      if (calls < at) return;
      expect(await domainsOf(world), `before call ${at}`).toEqual(expected);
      expect([...world.fake.domains.keys()].toSorted(), `before call ${at}`).toEqual(expected);
    }
  }

  it.each([
    { which: 'the first ones', before: [] },
    { which: 'beside a default', before: ['a.example'] },
  ])('are created whenever the other is declared: $which', async ({ before }) => {
    await beforeEachCall(
      async (world) => {
        for (const name of before) await world.declare('create', { domain: name }, name);
      },
      (world, changed) => world.declare('create', {}, 'domain', changed),
      (world) => world.declare('create', { domain: other }, 'other'),
      [...before, other, domain],
    );
  });

  it('are changed whenever a check finds the domain active', async () => {
    await beforeEachCall(
      (world) => world.declare('create'),
      (world, changed) =>
        world.declare('update', { fromEmail: `post@${domain}` }, 'domain', changed),
      async (world) => {
        world.fake.verify(domain, 'SUCCESS');
        await world.check();
      },
      [domain],
    );
  });

  it('are removed whenever the other is removed', async () => {
    await beforeEachCall(
      async (world) => {
        await world.declare('create', { domain: 'a.example' }, 'a');
        await world.declare('create');
        await world.declare('create', { domain: other }, 'other');
      },
      (world, changed) => world.remove('delete', 'domain', domain, changed),
      (world) => world.remove('delete', 'other', other),
      ['a.example'],
    );
  });

  it('leave when they are all removed at once', async () => {
    const world = await newWorld();
    const names = ['a.example', 'b.example', 'c.example', 'd.example'];
    for (const name of names) await world.declare('create', { domain: name }, name);

    await Promise.all(names.map((name) => world.remove('delete', name, name)));

    expect(await domainsOf(world)).toEqual([]);
    expect([...world.fake.domains.keys()]).toEqual([]);
  });

  it('fail when others keep changing them, after a few tries', async () => {
    const memory = openMemoryTable();
    const world = await newWorld(memory);
    await setDomain(world, other);
    const table = interceptWrites(async () => {
      const { identity: before } = await world.read();
      if (before === undefined) throw new Error('no identity');
      const after = { ...before, updatedAt: before.updatedAt + 1 };
      await storeIdentityChange(memory.table, { before, after }, {});
    }, memory.open);

    const error = await serviceErrorOf(() => world.declare('create', {}, 'domain', { table }));

    expect(error.code).toBe('concurrent_change');
    expect(world.polls).toEqual([5, 10, 20, 40, 80, 160].map((seconds) => seconds * 1_000));
  });
});

describe('untilVerified', () => {
  it('checks every ten seconds, even while SES throttles, and ends with what DNS lacks', async () => {
    const world = await newWorld();
    await world.declare('create');

    const error = await serviceErrorOf(() => world.wait(2));

    expect(error.message).toContain(
      `SES has not verified ${domain} within 2 minutes. DNS lacks CNAME a._domainkey.${domain}`,
    );
    expect(world.polls).toEqual(Array(12).fill(10_000));
  });

  it("checks once if it isn't to wait", async () => {
    const world = await newWorld();
    await world.declare('create');
    world.fake.verify(domain, 'SUCCESS');

    await world.wait(0);

    expect(world.polls).toEqual([]);
  });

  it('says that SES is still checking when DNS has everything', () => {
    expect(notVerified(domain, 10, { records: [] })).toContain('DNS has its records');
  });
});
