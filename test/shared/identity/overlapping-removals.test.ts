import { describe, expect, it } from 'vitest';
import { isHeld, leaseMs } from '#shared/domains/domain-ownership';
import { readDomainOwnership } from '#shared/identity/domain-store';
import { removeDomain } from '#shared/identity/set-domain';
import { showIdentity } from '#shared/identity/show-identity';
import { endpoint as releaseDomain } from '../../../functions/release-domain/release-domain.ts';
import { endpoint as setIdentity } from '../../../functions/set-identity/set-identity.ts';
import { openDisturbedTable } from '../../support/disturbed-table.ts';
import {
  checkDomains as check,
  Death,
  type IdentityWorld,
  type IdentityWorldOptions,
  openTwoIdentityWorlds,
} from '../../support/identity-world.ts';
import { interrupted } from '../../support/interrupted-calls.ts';
import type { MemoryTable } from '../../support/memory-table/memory-table.ts';
import { operator, surroundings } from '../../support/surroundings.ts';

const domain = 'mail.example.com';
const next = 'next.example';

type Management = IdentityWorld['management'];

const set = (world: IdentityWorld, wanted: string, management = world.management) =>
  setIdentity.run(
    {
      ...surroundings,
      ...world.request,
      body: { domain: wanted, fromEmail: `hello@${wanted}`, mailFromLabel: 'bounces' },
    },
    management,
  );
const remove = (world: IdentityWorld, management = world.management) =>
  removeDomain({ ...world.request, path: { domain } }, management);

type Interruption = {
  /** Another process runs before this call to the table, SES or DNS. Calls count from 1. */
  readonly at: number;
  readonly other: () => Promise<unknown>;
  /** The process dies before this call. */
  readonly death: number;
};

/** Dying before one of these is the same as dying before the next call that isn't one. */
const reads = /^(?:GetItem|BatchGetItem|Query|get|getAccount|sight)$|Of$/;

function interrupt(
  { management }: IdentityWorld,
  { open }: MemoryTable,
  interruption: Interruption,
) {
  const { at, other, death } = interruption;
  const calls: string[] = [];
  const before = async (name: string) => {
    const call = calls.push(name);
    if (call === at) await other();
    if (call >= death) throw new Death(`before call ${death}`);
  };
  const table = openDisturbedTable({ before: ({ operation }) => before(operation) }, open);
  return {
    management: {
      ...management,
      table,
      ses: interrupted(management.ses, before),
      dns: interrupted(management.dns, before),
    },
    calls,
  };
}

type Worlds = Awaited<ReturnType<typeof openTwoIdentityWorlds>>;

/** SES has a domain exactly if it's claimed, tagged with a claimant; and only the tagged organization claims it. */
async function requireSettled(worlds: Worlds, how: string): Promise<void> {
  const [one, other] = worlds;
  const contexts = [await one.read(), await other.read()];
  for (const name of [domain, next]) {
    const having = contexts
      .filter(({ identity, organization }) =>
        [identity?.wanted?.domain, organization?.identity?.domain].includes(name),
      )
      .map(({ place }) => place.organizationId);
    const { owner, claims, lease } = await readDomainOwnership(
      one.management.table,
      name,
      one.now(),
    );
    const claiming = claims.map(({ organizationId }) => organizationId);
    expect(having, how).toEqual(expect.arrayContaining(claiming));
    if (owner !== undefined) expect(claiming, how).toContain(owner.organizationId);
    expect(isHeld(lease, one.now()), how).toBe(false);
    const inSes = one.fake.domains.get(name);
    expect(inSes !== undefined, how).toBe(claiming.length > 0);
    if (inSes !== undefined) expect(claiming, how).toContain(inSes.ownerId);
  }
}

type Act = (world: IdentityWorld, management?: Management) => Promise<unknown>;

type Situation = {
  readonly name: string;
  readonly options?: IdentityWorldOptions;
  readonly prepare: (worlds: Worlds) => Promise<unknown>;
};

const situations: readonly Situation[] = [
  {
    name: 'that SES does not have yet',
    prepare: async ([one]) => {
      await set(one, domain);
      one.fake.domains.clear();
    },
  },
  {
    name: 'that SES has given up',
    prepare: async ([one]) => {
      await set(one, domain);
      one.fake.verify(domain, 'FAILED');
    },
  },
  {
    name: 'that SES does not have yet, and another organization wants too',
    prepare: async ([one, other]) => {
      await set(one, domain);
      await set(other, domain);
      one.fake.domains.clear();
    },
  },
  {
    name: 'that has just become its own, and has the tag of another that waits',
    options: { isUnproven: true },
    prepare: async ([one, other]) => {
      await set(other, domain);
      await set(one, domain);
      one.fake.verify(domain, 'SUCCESS');
      one.fake.publishers.add(one.organizationId);
    },
  },
];

const works: readonly (readonly [string, Act])[] = [
  ['a check', check],
  ['setting it again', (world, management) => set(world, domain, management)],
  [
    'reading it',
    async (world, management = world.management) => showIdentity(await world.read(), management),
  ],
];

type Ends = 'goes on' | 'goes on or ends';

const removals: readonly (readonly [string, Ends, (worlds: Worlds) => Promise<unknown>])[] = [
  ['its deletion', 'goes on or ends', ([one]) => remove(one)],
  ['its replacement', 'goes on', ([one]) => set(one, next)],
  [
    'its release',
    'goes on',
    async ([one, , { table }]) => {
      const { organizationId, now } = one;
      await releaseDomain.run(
        { ...surroundings, caller: operator, path: { domain }, query: { organizationId } },
        { table, now, limitsOfDeployment: {} },
      );
      await check(one);
    },
  ],
  [
    'the deletion of its organization',
    'goes on',
    async ([one]) => {
      await one.deleteOrganization();
      await check(one);
    },
  ],
];

/** Runs a process that may die, and whose requests may be rejected: only the final state matters. */
const outcomeOf = (run: Promise<unknown>): Promise<unknown> => run.catch((error: unknown) => error);

/** The schedule's runs, once the lease of the dead process has expired. */
async function checkLater([one, other]: Worlds): Promise<void> {
  for (const world of [one, other, one]) {
    one.pass(leaseMs);
    other.pass(leaseMs);
    await check(world);
  }
}

/**
 * Tries each call as the point where the other process runs and, combined with it, each effect as the point where the
 * first process then dies.
 */
async function forEachInterruption(
  { options = {}, prepare }: Situation,
  work: (worlds: Worlds, management: Management) => Promise<unknown>,
  other: (worlds: Worlds) => Promise<unknown>,
  ends: Ends,
): Promise<void> {
  const run = async (at: number, death: number) => {
    const worlds = await openTwoIdentityWorlds(options);
    await prepare(worlds);
    const [one, , memory] = worlds;
    const interruption = { at, death, other: () => outcomeOf(other(worlds)) };
    const { management, calls } = interrupt(one, memory, interruption);
    await outcomeOf(work(worlds, management));
    await checkLater(worlds);
    await requireSettled(worlds, `interrupted at call ${at}, ended before call ${death}`);
    return calls;
  };
  for (let at = 1; ; at += 1) {
    const calls = await run(at, Number.POSITIVE_INFINITY);
    if (calls.length < at) return;
    if (ends === 'goes on') continue;
    for (const [index, name] of calls.entries()) {
      if (index + 1 >= at && !reads.test(name)) await run(at, index + 1);
    }
  }
}

describe.each(situations)('a domain $name', (situation) => {
  describe.each(works)('during %s', (_, work) => {
    it.each(removals)(
      'is not orphaned in SES when it races with %s, and %s',
      async (__, ends, removal) => {
        await forEachInterruption(
          situation,
          ([one], management) => work(one, management),
          removal,
          ends,
        );
      },
    );
  });

  it.each(works)(
    'is not orphaned in SES when a deletion races with %s, and finishes or dies',
    async (_, work) => {
      await forEachInterruption(
        situation,
        ([one], management) => remove(one, management),
        ([one]) => work(one),
        'goes on or ends',
      );
    },
  );
});
