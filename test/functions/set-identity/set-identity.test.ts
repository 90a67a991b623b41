import { describe, expect, it } from 'vitest';
import { leaseMs } from '#shared/domains/domain-ownership';
import { SesRefusal } from '#shared/domains/ses-identities';
import { ServiceError } from '#shared/errors/service-error';
import { endpoint as deleteIdentity } from '../../../functions/delete-identity/delete-identity.ts';
import { endpoint, endpoint as setIdentity } from '../../../functions/set-identity/set-identity.ts';
import {
  checkDomains,
  Death,
  mailDomain as domain,
  type IdentityWorld,
  openIdentityWorld,
  openTwoIdentityWorlds,
} from '../../support/identity-world.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const set = (world: IdentityWorld, fields: object = {}, management = world.management) =>
  setIdentity.run(
    {
      ...surroundings,
      ...world.request,
      body: endpoint.body.parse({ domain, fromEmail: `hello@${domain}`, ...fields }),
    },
    management,
  );

const newWorld = () => openIdentityWorld(openMemoryTable());

/** What the schedule does of this organization, as soon as it is due. */
function check(world: IdentityWorld) {
  world.begin();
  // The lease of a process that died is over by then.
  world.pass(leaseMs);
  return checkDomains(world);
}

describe('setIdentity', () => {
  it('stores the domain before calling SES', async () => {
    const world = await newWorld();

    const identity = await set(world);

    expect(world.effects()).toEqual([
      'IDENTITY',
      'DOMAIN',
      'LEASE',
      'create',
      'LEASE',
      'stopForwarding',
      'setMailFrom',
      'IDENTITY',
    ]);
    expect(identity).toMatchObject({
      domain,
      status: 'pending',
      sendingAs: null,
      mailFrom: { domain: `bounces.${domain}`, status: 'PENDING' },
    });
    expect(world.fake.domains.get(domain)).toMatchObject({
      ownerId: world.organizationId,
      mailFrom: { domain: `bounces.${domain}` },
    });
  });

  it('makes SES stop emailing bounces to the sender, even for an older domain', async () => {
    const world = await newWorld();
    await set(world);
    const made = world.fake.domains.get(domain);
    if (made !== undefined) world.fake.domains.set(domain, { ...made, forwardsBounces: true });

    await check(world);

    expect(made?.forwardsBounces).toBe(false);
    expect(world.effects()).toContain('stopForwarding');
    expect(world.fake.domains.get(domain)?.forwardsBounces).toBe(false);
  });

  it('accepts a domain in the forms people write', async () => {
    const world = await newWorld();

    const identity = await set(world, {
      domain: 'Mail.Bücher.example',
      fromEmail: 'x@mail.bücher.example',
    });

    expect(identity.domain).toBe('mail.xn--bcher-kva.example');
  });

  it.each([
    [{ domain: 'localhost', fromEmail: 'x@localhost' }, 'domain'],
    [{ domain: 'a@b.example' }, 'domain'],
    [{ fromEmail: 'hello@elsewhere.example' }, 'fromEmail'],
    [{ fromEmail: `hello@sub.${domain}` }, 'fromEmail'],
    [{ mailFromLabel: 'two.labels' }, 'mailFromLabel'],
    [{ mailFromLabel: '-x' }, 'mailFromLabel'],
  ])('rejects %o', (fields, path) => {
    const parsed = endpoint.body.safeParse({ domain, fromEmail: `hello@${domain}`, ...fields });

    expect(parsed.error?.issues.map((issue) => issue.path.join('.'))).toContain(path);
  });

  it('stores nothing when the MAIL FROM domain has a CNAME', async () => {
    const world = await openIdentityWorld(openMemoryTable(), {
      dns: { cnameOf: async () => ['elsewhere.example'] },
    });

    const error = await serviceErrorOf(() => set(world));

    expect(error.code).toBe('validation_failed');
    expect(error.errors).toMatchObject([{ path: 'mailFromLabel' }]);
    expect(world.effects()).toEqual([]);
  });

  it('asks for no DMARC record below a policy, and names the one that applies', async () => {
    const reject = 'v=DMARC1; p=none; sp=reject';
    const world = await openIdentityWorld(openMemoryTable(), {
      dns: { textsOf: async (name) => (name === '_dmarc.example.com' ? [reject] : []) },
    });

    const { records, zoneFile } = await set(world);

    expect(records.find(({ purpose }) => purpose === 'dmarc')).toMatchObject({
      name: '_dmarc.example.com',
      value: reject,
      state: 'found',
      policy: 'reject',
    });
    expect(zoneFile).not.toContain('_dmarc');
  });

  it("continues when DNS doesn't answer", async () => {
    const world = await openIdentityWorld(openMemoryTable(), {
      dns: { cnameOf: async () => 'unanswered' },
    });

    expect((await set(world)).status).toBe('pending');
  });

  it("doesn't take a domain that SES has for another owner", async () => {
    const world = await newWorld();
    world.fake.putForeign(domain);

    const error = await serviceErrorOf(() => set(world));

    expect(error.code).toBe('domain_taken');
    expect(world.effects()).toEqual([]);
    expect((await world.read()).identity).toBeUndefined();
  });

  it.each([
    ['refuses it', new SesRefusal('BadRequestException: no such domain'), 'identity_rejected'],
    ['throttles', new ServiceError('provider_throttled'), 'provider_throttled'],
  ])('can be repeated at once when SES %s', async (_, thrown, code) => {
    const world = await newWorld();
    const create = async () => {
      throw thrown;
    };
    const management = { ...world.management, ses: { ...world.management.ses, create } };

    const errors = [
      await serviceErrorOf(() => set(world, {}, management)),
      await serviceErrorOf(() => set(world, {}, management)),
    ];

    expect(errors.map((error) => error.code)).toEqual([code, code]);
    expect((await set(world)).dkim.status).toBe('PENDING');
  });

  it.each([1, 2])(
    'is complete after a repetition when IAM saw the tag late, at call %i that needs it',
    async (early) => {
      const world = await newWorld();
      const { ses } = world.management;
      let calls = 0;
      const atFirst = async (call: () => Promise<void>) => {
        calls += 1;
        if (calls === early) throw new ServiceError('provider_not_ready');
        await call();
      };
      const management = {
        ...world.management,
        ses: {
          ...ses,
          stopForwarding: (name: string) => atFirst(() => ses.stopForwarding(name)),
          setMailFrom: (...names: readonly [string, string]) =>
            atFirst(() => ses.setMailFrom(...names)),
        },
      };

      const error = await serviceErrorOf(() => set(world, {}, management));
      const view = await set(world, {}, management);

      expect(error.code).toBe('provider_not_ready');
      expect(view.status).toBe('pending');
      expect(world.fake.domains.get(domain)).toMatchObject({
        forwardsBounces: false,
        mailFrom: { status: 'PENDING' },
      });
    },
  );

  it("keeps the lease of a domain that SES may still create, as it hasn't answered", async () => {
    const world = await newWorld();
    const create = async () => {
      throw new ServiceError('provider_unreachable');
    };
    const management = { ...world.management, ses: { ...world.management.ses, create } };

    const error = await serviceErrorOf(() => set(world, {}, management));
    await deleteIdentity.run({ ...surroundings, ...world.request }, world.management);

    expect(error.code).toBe('provider_unreachable');
    await world.management.ses.create(domain, world.organizationId);
    await check(world);
    expect([...world.fake.domains.keys()]).toEqual([]);
    expect((await world.read()).identity).toBeUndefined();
  });

  it('gives two organizations that want one domain the same answer, so that neither learns of the other', async () => {
    const [one, other] = await openTwoIdentityWorlds({ isUnproven: true });

    const [first, second] = [await set(one), await set(other)];

    const withoutOwn = ({ records }: typeof first) =>
      records
        .filter(({ purpose }) => purpose !== 'ownership')
        .map(({ name, value }) => name + value);
    expect([first.status, second.status]).toEqual(['pending', 'pending']);
    expect(withoutOwn(second)).toEqual(withoutOwn(first));
    expect(second.dkim).toEqual(first.dkim);
    expect(second.records[0]?.value).not.toBe(first.records[0]?.value);
  });

  it('succeeds for only one of two concurrent requests', async () => {
    const world = await newWorld();

    const outcomes = await Promise.allSettled([
      set(world),
      set(world, { domain: 'other.example', fromEmail: 'x@other.example' }),
    ]);

    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toMatchObject([{ reason: { code: 'concurrent_change' } }]);
  });

  it('restarts in SES once SES has stopped checking', async () => {
    const world = await newWorld();
    await set(world);
    world.fake.verify(domain, 'FAILED');
    world.begin();

    const identity = await set(world);

    expect(world.effects()).toEqual([
      'IDENTITY',
      'LEASE',
      'delete',
      'LEASE',
      'LEASE',
      'create',
      'LEASE',
      'stopForwarding',
      'setMailFrom',
      'IDENTITY',
    ]);
    expect(identity).toMatchObject({ status: 'pending', dkim: { status: 'PENDING' } });
  });

  it("changes an active identity's address at once", async () => {
    const world = await newWorld();
    await set(world);
    world.fake.verify(domain, 'SUCCESS');
    await set(world);

    const identity = await set(world, { fromEmail: `other@${domain}` });

    expect(identity).toMatchObject({
      status: 'active',
      sendingAs: { fromEmail: `other@${domain}` },
    });
    expect((await world.read()).organization?.identity?.fromEmail).toBe(`other@${domain}`);
  });

  it('audits the author, and no address', async () => {
    const memory = openMemoryTable();
    const world = await openIdentityWorld(memory);

    await set(world);

    const [row] = memory.items().filter(({ pk }) => String(pk).endsWith('#AUDIT'));
    expect(row).toMatchObject({ action: 'identity.set', target: domain });
    expect(JSON.stringify(row)).not.toContain('@');
  });
});

/** Every moment at which a process can end while it sets a domain that replaces another. */
const dooms = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].flatMap((effect) =>
  (['before', 'after'] as const).map((when) => ({ effect, when })),
);

const untilDeath = async (run: Promise<unknown>) => {
  await run.catch((error: unknown) => {
    if (!(error instanceof Death)) throw error;
  });
};

describe('a process that dies', () => {
  it.each(dooms)(
    '$when effect $effect of setting a domain leaves a state that a check completes',
    async (doom) => {
      const world = await newWorld();
      await set(world, { domain: 'old.example', fromEmail: 'x@old.example' });
      world.begin(doom);
      await untilDeath(set(world));

      await check(world);
      await check(world);

      const { identity } = await world.read();
      const wanted = identity?.wanted?.domain;
      // Before its first effect nothing has happened.
      expect(wanted).toBe(doom.effect === 1 && doom.when === 'before' ? 'old.example' : domain);
      expect([...world.fake.domains.keys()]).toEqual([wanted]);
      expect(world.fake.domains.get(wanted ?? '')?.mailFrom?.domain).toBe(`bounces.${wanted}`);
      expect(identity?.removing).toEqual([]);
    },
  );

  it.each(dooms)(
    '$when effect $effect of setting a domain leaves a state that a repetition completes',
    async (doom) => {
      const world = await newWorld();
      await set(world, { domain: 'old.example', fromEmail: 'x@old.example' });
      world.begin(doom);
      await untilDeath(set(world));
      world.begin();
      world.pass(leaseMs);

      const identity = await set(world);

      expect(identity).toMatchObject({ domain, status: 'pending' });
      expect([...world.fake.domains.keys()]).toEqual([domain]);
    },
  );

  it.each(dooms.slice(0, 10))(
    '$when effect $effect of removing an identity leaves a state that a check completes',
    async (doom) => {
      const [world, other] = await openTwoIdentityWorlds({}, { isUnproven: true });
      const { fake } = world;
      await set(world);
      world.fake.verify(domain, 'SUCCESS');
      await set(world);
      world.begin(doom);
      await untilDeath(deleteIdentity.run({ ...surroundings, ...world.request }, world.management));
      const hasBegun = doom.effect > 1 || doom.when === 'after';

      await check(world);

      expect((await world.read()).organization?.identity?.status).toBe(
        hasBegun ? undefined : 'active',
      );
      expect(fake.domains.has(domain)).toBe(!hasBegun);
      fake.publishers.delete(world.organizationId);
      fake.publishers.add(other.organizationId);
      other.pass(3 * leaseMs);
      await set(other);
      fake.verify(domain, 'SUCCESS');
      await check(other);
      expect((await other.read()).organization?.identity?.status).toBe('active');
    },
  );
});
