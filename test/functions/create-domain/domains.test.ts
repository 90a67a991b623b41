import { describe, expect, it } from 'vitest';
import { listAuditEntries } from '#shared/audit/audit-store';
import { ServiceError } from '#shared/errors/service-error';
import { readDomainOwnership } from '#shared/identity/domain-store';
import { givenUpAfterMs } from '#shared/identity/identity';
import { countIdentityChange, getIdentity, listIdentities } from '#shared/identity/identity-store';
import { listDomains } from '#shared/identity/identity-view';
import { createDomain, removeDomain, verifyDomain } from '#shared/identity/set-domain';
import { activeDomainsOf, type TenantState } from '#shared/organizations/organization';
import type { Table } from '#shared/table/table-client';
import { endpoint as deleteIdentity } from '../../../functions/delete-identity/delete-identity.ts';
import { endpoint as updateDomain } from '../../../functions/update-domain/update-domain.ts';
import { interceptWrites } from '../../support/disturbed-table.ts';
import {
  checkDomains,
  createFakeSes,
  Death,
  type Doom,
  type IdentityWorld,
  openIdentityWorld,
  openTwoIdentityWorlds,
  setDomain,
  useDomain,
  verifyDomains,
} from '../../support/identity-world.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const first = 'a.example';
const second = 'b.example';
const third = 'c.example';

const create = (world: IdentityWorld, domain: string, limits = {}) =>
  createDomain(
    { ...world.request, body: { domain, mailFromLabel: 'bounces' } },
    { ...world.management, limitsOfDeployment: limits },
  );
const update = (
  world: IdentityWorld,
  domain: string,
  body: { default?: true; fromEmail?: string; mailFromLabel?: string },
) => updateDomain.run({ ...world.request, path: { domain }, body }, world.management);
const makeDefault = (world: IdentityWorld, domain: string) =>
  update(world, domain, { default: true });
const remove = (world: IdentityWorld, domain: string) =>
  removeDomain({ ...world.request, path: { domain } }, world.management);

async function existing(table: Table, { organizationId }: IdentityWorld) {
  const { organization } = await getIdentity(table, organizationId);
  const identities = await listIdentities(table, organizationId);
  return {
    identities,
    organization,
    list: listDomains(identities, organization).map(
      ({ domain, isDefault, status, canSend }) =>
        `${domain} ${isDefault ? 'default' : 'beside'} ${status}${canSend ? ' sends' : ''}`,
    ),
    active: organization && activeDomainsOf(organization),
  };
}

async function prepare(options: Parameters<typeof openIdentityWorld>[1] = {}) {
  const memory = openMemoryTable();
  const world = await openIdentityWorld(memory, options);
  return { memory, world, now: () => existing(memory.table, world) };
}

/** An organization with two active domains. */
async function prepareTwo(options: Parameters<typeof openIdentityWorld>[1] = {}) {
  const prepared = await prepare(options);
  const { world } = prepared;
  await create(world, first);
  await create(world, second);
  await verifyDomains(world, first, second);
  return prepared;
}

describe("an organization's domains", () => {
  it('are a default (the first one) and additional ones', async () => {
    const { world, now } = await prepare();

    expect(await create(world, first)).toMatchObject({ domain: first, isDefault: true });
    expect(await create(world, second)).toMatchObject({
      domain: second,
      isDefault: false,
      fromEmail: `hello@${second}`,
      status: 'pending',
      sendingAs: null,
    });
    expect((await now()).list).toEqual([`${first} default pending`, `${second} beside pending`]);
  });

  it('become active independently, and sends may come from each', async () => {
    const { world, now } = await prepare();
    await create(world, first);
    await create(world, second);
    await verifyDomains(world, second);

    expect((await now()).active).toEqual([second]);
    expect((await world.read()).organization?.identity).toBeUndefined();

    await verifyDomains(world, first);

    const { active, list } = await now();
    expect(active).toEqual([first, second]);
    expect(list).toEqual([`${first} default active sends`, `${second} beside active sends`]);
    const notices = await world.notices();
    const textOf = (domain: string) => notices.find(({ about }) => about === domain)?.text;
    expect(textOf(first)).toContain('Your emails are now sent from it');
    expect(textOf(second)).toContain('You can now send from any address at it');
  });

  it('are lost independently', async () => {
    const { world, now } = await prepareTwo();
    await world.settleNotices();
    world.pass(86_400_000);
    world.fake.verify(second, 'FAILED');
    await checkDomains(world);

    expect((await now()).list).toEqual([
      `${first} default active sends`,
      `${second} beside failed`,
    ]);
    expect(await world.notices()).toMatchObject([
      {
        cause: 'identity_lost',
        about: second,
        text: expect.stringContaining(`GET /api/v1/domains/${second} `),
      },
    ]);
  });

  it('are given up after a week independently, and restart when verified again', async () => {
    const { world, now } = await prepare();
    await create(world, first);
    await create(world, second);
    await verifyDomains(world, first);
    world.pass(givenUpAfterMs);
    await checkDomains(world);
    await checkDomains(world);

    expect((await now()).list).toEqual([
      `${first} default active sends`,
      `${second} beside failed`,
    ]);
    expect([...world.fake.domains.keys()]).toEqual([first]);

    const answer = await verifyDomain(
      { ...world.request, path: { domain: second } },
      world.management,
    );

    expect(answer).toMatchObject({ status: 'pending', isDefault: false });
    await verifyDomains(world, second);
    expect((await now()).active).toEqual([first, second]);
  });

  it('stop at the limit, and the one over it leaves nothing behind', async () => {
    const { world, now } = await prepare();
    const limits = { domains: 2 };
    await create(world, first, limits);
    await create(world, second, limits);

    const error = await serviceErrorOf(() => create(world, third, limits));

    expect(error.code).toBe('too_many_domains');
    expect((await now()).list).toHaveLength(2);
    expect(world.fake.domains.has(third)).toBe(false);
  });

  it.each([
    ['added again with another address', (world: IdentityWorld) => again(world, first)],
    ['added again beside the default', (world: IdentityWorld) => again(world, second)],
    [
      'set as the identity, which another domain is',
      (world: IdentityWorld) => setDomain(world, second),
    ],
  ])('are unique: one that is %s is refused', async (_, run) => {
    const { world, now } = await prepareTwo();
    const before = await now();

    expect((await serviceErrorOf(() => run(world))).code).toBe('domain_exists');

    expect(await now()).toEqual(before);
  });

  it('move to the organization whose record is in DNS, even from an additional domain', async () => {
    const [owner, other, { table }] = await openTwoIdentityWorlds();
    const { fake } = owner;
    fake.publishers.delete(other.organizationId);
    await create(owner, first);
    await create(owner, second);
    await verifyDomains(owner, first, second);
    await create(other, third);
    await create(other, second);

    // A claim without a record blocks nobody, and takes nothing.
    expect((await existing(table, owner)).active).toEqual([first, second]);
    expect((await existing(table, other)).active).toEqual([]);

    fake.publishers.delete(owner.organizationId);
    fake.publishers.add(other.organizationId);
    await verifyDomains(other, third);

    expect((await existing(table, other)).active).toEqual([third, second]);
    expect((await existing(table, owner)).list).toEqual([
      `${first} default active sends`,
      `${second} beside failed`,
    ]);
    expect(fake.domains.get(second)?.ownerId).toBe(other.organizationId);
  });

  it('are all added to the tenant before the first send names it', async () => {
    const memory = openMemoryTable();
    const fake = createFakeSes();
    const before = await openIdentityWorld(memory, { fake });
    await create(before, first);
    await create(before, second);
    await verifyDomains(before, first, second);
    const tenant = (): TenantState => ({ sending: 'enabled' });
    const { management, tenants } = await openIdentityWorld(memory, { fake, tenant });

    await checkDomains(before, { tenants: management.tenants });

    expect(tenants[0]).toBe(`${before.organizationId} has ${first}, ${second}`);
  });

  it('leave SES with the organization', async () => {
    const { world, now } = await prepareTwo();
    await create(world, third);

    await world.deleteOrganization();
    await checkDomains(world);

    expect([...world.fake.domains.keys()]).toEqual([]);
    expect((await now()).identities).toEqual([]);
  });
});

const again = (world: IdentityWorld, domain: string) =>
  createDomain(
    {
      ...world.request,
      body: { domain, fromEmail: `other@${domain}`, mailFromLabel: 'bounces' },
    },
    world.management,
  );

describe('adding a domain', () => {
  it('waits until the domain that the default replaced has left SES', async () => {
    const { world, now } = await prepare();
    await useDomain(world, first);
    await setDomain(world, second);
    // The schedule takes the first out of SES, and dies.
    world.fake.verify(second, 'SUCCESS');
    world.begin({ effect: 2, when: 'before' });
    await checkDomains(world).catch((error: unknown) => {
      if (!(error instanceof Death)) throw error;
    });
    world.begin();
    const removing = (await now()).identities.flatMap((one) => one.removing);

    const error = await serviceErrorOf(() => create(world, first));
    world.pass(300_000);
    await checkDomains(world);

    expect(removing).toEqual([first]);
    expect(error.code).toBe('concurrent_change');
    expect(await create(world, first)).toMatchObject({ domain: first, isDefault: false });
  });
});

describe('making a domain the default', () => {
  it('swaps it with the previous default, and changes nothing else', async () => {
    const { world, now } = await prepareTwo();

    const answer = await makeDefault(world, second);

    expect(answer).toMatchObject({
      domain: second,
      isDefault: true,
      sendingAs: { fromEmail: `hello@${second}` },
    });
    const { list, active, organization } = await now();
    expect(list).toEqual([`${second} default active sends`, `${first} beside active sends`]);
    expect(active).toEqual([second, first]);
    expect(organization?.identity?.fromEmail).toBe(`hello@${second}`);
    expect([...world.fake.domains.keys()]).toEqual([first, second]);
    world.pass(86_400_000);
    await checkDomains(world);
    expect((await now()).active).toEqual([second, first]);
  });

  it('takes its address along, and changes nothing when it is already the default', async () => {
    const { world, now } = await prepareTwo();
    await update(world, second, { default: true, fromEmail: `post@${second}` });
    const before = await now();

    await makeDefault(world, second);

    expect((await now()).organization).toEqual(before.organization);
    expect(before.organization?.identity?.fromEmail).toBe(`post@${second}`);
  });

  it('is refused for an inactive domain, and for an address on another domain', async () => {
    const { world, now } = await prepareTwo();
    await create(world, third);
    const before = await now();

    const errors = [
      await serviceErrorOf(() => makeDefault(world, third)),
      await serviceErrorOf(() => update(world, second, { fromEmail: `a@${first}` })),
      await serviceErrorOf(() => makeDefault(world, 'd.example')),
    ];

    expect(errors.map(({ code }) => code)).toEqual([
      'domain_not_active',
      'validation_failed',
      'domain_not_found',
    ]);
    expect(await now()).toEqual(before);
  });

  it('keeps a default that is still pending, and drops the one that it was replacing', async () => {
    const { world, now } = await prepareTwo();
    await setDomain(world, third);

    await makeDefault(world, second);
    await checkDomains(world);

    expect((await now()).list).toEqual([
      `${second} default active sends`,
      `${third} beside pending`,
    ]);
    expect([...world.fake.domains.keys()].toSorted()).toEqual([second, third]);
  });

  it('works without a default after that was deleted', async () => {
    const { world, now } = await prepareTwo();
    await deleteIdentity.run({ ...surroundings, ...world.request }, world.management);

    expect((await now()).list).toEqual([`${second} beside active sends`]);
    await makeDefault(world, second);

    expect((await now()).list).toEqual([`${second} default active sends`]);
  });
});

describe('deleting a domain', () => {
  it('removes it from SES and releases it, and leaves the others alone', async () => {
    const { world, now } = await prepareTwo();

    await remove(world, second);

    const { list, active, identities } = await now();
    expect(list).toEqual([`${first} default active sends`]);
    expect(active).toEqual([first]);
    expect(identities).toHaveLength(1);
    expect([...world.fake.domains.keys()]).toEqual([first]);
    expect(await readDomainOwnership(world.management.table, second, world.now())).toMatchObject({
      owner: undefined,
      claims: [],
    });
    expect((await create(world, second)).status).toBe('pending');
  });

  it('works for the default, and the others still send', async () => {
    const { world, now } = await prepareTwo();

    await remove(world, first);

    expect((await now()).list).toEqual([`${second} beside active sends`]);
    expect(await create(world, third)).toMatchObject({ isDefault: true });
  });

  it('that is a pending replacement keeps the domain in use, and says so in the audit', async () => {
    const { memory, world, now } = await prepareTwo();
    await update(world, first, { fromEmail: `post@${first}`, mailFromLabel: 'mail' });
    const before = await now();
    const inSes = world.fake.domains.get(first);
    world.pass(60_000);
    await setDomain(world, third);
    world.pass(60_000);

    await remove(world, third);

    const after = await now();
    expect(after.list).toEqual(before.list);
    expect(after.organization).toEqual(before.organization);
    expect(after.identities[0]?.wanted).toEqual(before.identities[0]?.wanted);
    expect([...world.fake.domains.keys()]).toEqual([first, second]);
    expect((await readDomainOwnership(world.management.table, third, world.now())).claims).toEqual(
      [],
    );
    world.pass(86_400_000);
    await checkDomains(world);
    expect(await now()).toMatchObject({ list: before.list, active: before.active });
    expect(world.fake.domains.get(first)).toEqual(inSes);
    const range = { before: undefined, limit: 1 };
    const { entries } = await listAuditEntries(
      memory.table,
      world.organizationId,
      range,
      world.now(),
    );
    expect(entries).toMatchObject([{ action: 'domain.deleted', target: third }]);
  });

  it.each(['failed', 'was given up'])(
    'that was a pending replacement and %s keeps the domain in use',
    async (end) => {
      const { world, now } = await prepareTwo();
      const before = await now();
      await setDomain(world, third);
      world.fake.verify(third, 'FAILED');
      if (end === 'was given up') world.pass(givenUpAfterMs);
      await checkDomains(world);

      await remove(world, third);
      await checkDomains(world);

      expect((await now()).list).toEqual(before.list);
      expect([...world.fake.domains.keys()]).toEqual([first, second]);
    },
  );

  it('that is a pending replacement keeps the domain in use, even while SES has lost it', async () => {
    const { world, now } = await prepare();
    await useDomain(world, first);
    await setDomain(world, second);
    world.fake.verify(first, 'FAILED');
    await checkDomains(world);

    await remove(world, second);
    await verifyDomains(world, first);

    const { list, active } = await now();
    expect(list).toEqual([`${first} default active sends`]);
    expect(active).toEqual([first]);
  });

  it('that has just replaced the default is refused, and sends are unaffected', async () => {
    const { world, now, memory } = await prepareTwo();
    await setDomain(world, third);
    // The first write counts the change, once the domain is read.
    const table = interceptWrites(async (write) => {
      if (write === 1) await verifyDomains(world, third);
    }, memory.open);
    const management = { ...world.management, table };

    const error = await serviceErrorOf(() =>
      removeDomain({ ...world.request, path: { domain: third } }, management),
    );

    expect(error.code).toBe('concurrent_change');
    expect((await now()).active).toEqual([third, second]);
  });

  it("that is a pending replacement changes nothing while SES doesn't say how the one in use was set", async () => {
    const { world, now } = await prepareTwo();
    await setDomain(world, third);
    const before = await now();
    const get = async () => {
      throw new ServiceError('provider_throttled');
    };
    const management = { ...world.management, ses: { ...world.management.ses, get } };

    const error = await serviceErrorOf(() =>
      removeDomain({ ...world.request, path: { domain: third } }, management),
    );

    expect(error.code).toBe('provider_throttled');
    expect(await now()).toEqual(before);
  });

  it("is refused if the organization doesn't have it", async () => {
    const { world } = await prepareTwo();

    expect((await serviceErrorOf(() => remove(world, third))).code).toBe('domain_not_found');
  });
});

/** What must be so whatever dies and is repeated. */
function requireWhole({ identities, organization }: Awaited<ReturnType<typeof existing>>): void {
  const wanted = identities.flatMap((one) => (one.wanted === undefined ? [] : [one.wanted.domain]));
  expect(new Set(wanted).size).toBe(wanted.length);
  const beside = identities.filter(
    ({ otherDomain, wanted: one }) => otherDomain !== undefined && one !== undefined,
  );
  expect(organization?.domains?.map(({ domain }) => domain) ?? []).toEqual(
    beside.map(({ otherDomain }) => otherDomain),
  );
}

type Act = (world: IdentityWorld) => Promise<unknown>;

const acts: readonly {
  readonly name: string;
  readonly act: Act;
  /** What the organization has in the end. */
  readonly expected: readonly string[];
  readonly prior?: Act;
}[] = [
  {
    name: 'adding a domain',
    act: (world) => create(world, third),
    expected: [
      `${first} default active sends`,
      `${second} beside active sends`,
      `${third} beside active sends`,
    ],
  },
  {
    name: 'making a domain the default',
    act: (world) => update(world, second, { default: true, mailFromLabel: 'mail' }),
    expected: [`${second} default active sends`, `${first} beside active sends`],
  },
  {
    name: 'deleting a domain',
    act: (world) => removeAgain(world, second),
    expected: [`${first} default active sends`],
  },
  {
    name: 'deleting a domain that is to replace the default',
    prior: (world) => setDomain(world, third),
    act: (world) => removeAgain(world, third),
    expected: [`${first} default active sends`, `${second} beside active sends`],
  },
];

async function removeAgain(world: IdentityWorld, domain: string): Promise<void> {
  const error = await remove(world, domain).catch((thrown: unknown) => thrown);
  // It is deleted already, or still leaving SES, which the schedule goes on with.
  if (error instanceof Death) throw error;
}

/** Each asks SES for something. */
const changes: readonly { readonly name: string; readonly act: Act }[] = [
  { name: 'adding a domain', act: (world) => create(world, third) },
  { name: 'changing a domain', act: (world) => update(world, second, { mailFromLabel: 'mail' }) },
  { name: 'making a domain the default', act: (world) => makeDefault(world, second) },
  {
    name: 'verifying a domain again',
    act: (world) => verifyDomain({ ...world.request, path: { domain: second } }, world.management),
  },
  { name: 'deleting a domain', act: (world) => remove(world, second) },
  { name: 'setting the default domain', act: (world) => setDomain(world, third) },
  {
    name: 'deleting the default domain',
    act: (world) => deleteIdentity.run({ ...surroundings, ...world.request }, world.management),
  },
];

it.each(changes)(
  '$name counts towards the 20 changes an hour, and is refused beyond them',
  async ({ act }) => {
    const { memory, world, now } = await prepareTwo();
    world.pass(3_600_000);
    const before = await now();
    const countChange = () => countIdentityChange(memory.table, world.organizationId, world.now());
    for (let count = 0; count < 20; count += 1) await countChange();
    const asked = world.fake.calls.length;

    const refusal = await serviceErrorOf(() => act(world));

    expect(refusal).toMatchObject({ code: 'rate_limited', retryAfterSeconds: expect.any(Number) });
    expect(await countChange()).toBe(22);
    expect(world.fake.calls).toHaveLength(asked);
    expect(await now()).toEqual(before);

    world.pass(3_600_000);
    await act(world);
    expect(await countChange()).toBe(2);
  },
);

const dooms = Array.from({ length: 9 }, (_, index) => index + 1).flatMap((effect) =>
  (['before', 'after'] as const).map((when): Doom => ({ effect, when })),
);

describe.each(acts)('$name', ({ act, expected, prior }) => {
  it.each(dooms)('succeeds when it dies $when effect $effect and is repeated', async (doom) => {
    const { world, now } = await prepareTwo();
    await prior?.(world);
    world.begin(doom);
    await act(world).catch((error: unknown) => {
      if (!(error instanceof Death)) throw error;
    });
    world.begin();
    requireWhole(await now());
    world.pass(300_000);

    await act(world);
    await checkDomains(world);
    await verifyDomains(world, first, second, third);

    const after = await now();
    requireWhole(after);
    expect(after.list).toEqual(expected);
    expect([...world.fake.domains.keys()].toSorted()).toEqual(
      expected.map((line) => line.split(' ')[0]).toSorted(),
    );
  });

  it.each(dooms)('is completed by the schedule when it dies $when effect $effect', async (doom) => {
    const { world, now } = await prepareTwo();
    await prior?.(world);
    world.begin(doom);
    await act(world).catch((error: unknown) => {
      if (!(error instanceof Death)) throw error;
    });
    world.begin();
    world.pass(300_000);

    await checkDomains(world);
    await verifyDomains(world, first, second, third);

    const after = await now();
    requireWhole(after);
    expect([...world.fake.domains.keys()].toSorted()).toEqual(
      after.list.map((line) => line.split(' ')[0]).toSorted(),
    );
  });
});

describe('two concurrent requests', () => {
  const outcomesOf = async (...runs: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(runs)).map(({ status }) => status).toSorted();

  it.each([
    ['add the same domain', (world: IdentityWorld) => [create(world, third), create(world, third)]],
    [
      'add two domains',
      (world: IdentityWorld) => [create(world, third), create(world, 'd.example')],
    ],
    [
      'add a domain and set it as the identity',
      (world: IdentityWorld) => [create(world, third), setDomain(world, third)],
    ],
    [
      'make two domains the default',
      (world: IdentityWorld) => [makeDefault(world, second), makeDefault(world, second)],
    ],
    [
      'make a domain the default and delete it',
      (world: IdentityWorld) => [makeDefault(world, second), remove(world, second)],
    ],
    [
      'make a domain the default and set another',
      (world: IdentityWorld) => [makeDefault(world, second), setDomain(world, third)],
    ],
  ])('that %s leave each domain in one place', async (_, run) => {
    const { world, now } = await prepareTwo();

    const outcomes = await outcomesOf(...run(world));

    expect(outcomes).toContain('fulfilled');
    requireWhole(await now());
    await checkDomains(world);
    requireWhole(await now());
  });

  it('that add a first domain make exactly one the default', async () => {
    const { world, now } = await prepare();

    await outcomesOf(create(world, first), create(world, second));

    const { list } = await now();
    expect(list.filter((line) => line.includes('default'))).toHaveLength(1);
  });

  it("that reach the limit don't exceed it", async () => {
    const { world, now } = await prepareTwo();
    const limits = { domains: 3 };

    await outcomesOf(create(world, third, limits), create(world, 'd.example', limits));

    expect((await now()).list).toHaveLength(3);
  });

  it('that find different domains active both count', async () => {
    const { world, now } = await prepare();
    await create(world, first);
    await create(world, second);
    await create(world, third);
    for (const domain of [first, second, third]) world.fake.verify(domain, 'SUCCESS');

    await Promise.all([checkDomains(world), checkDomains(world), checkDomains(world)]);
    await checkDomains(world);

    expect((await now()).active).toEqual([first, second, third]);
  });
});
