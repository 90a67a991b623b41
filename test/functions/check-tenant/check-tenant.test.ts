import { describe, expect, it } from 'vitest';
import { givenUpAfterMs } from '#shared/identity/identity';
import type { TenantState } from '#shared/organizations/organization';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { checkTenant, eventSchema } from '../../../functions/check-tenant/check-tenant.ts';
import {
  checkDomains,
  mailDomain as domain,
  type IdentityWorld,
  openIdentityWorld,
  setDomain,
  useDomain,
} from '../../support/identity-world.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';

const enabled: TenantState = { sending: 'enabled' };
const paused: TenantState = { sending: 'paused', reason: 'High bounce rate' };

/** An organization that sends as a tenant of SES. */
async function newTenant() {
  let state = enabled;
  const world = await openIdentityWorld(openMemoryTable(), { tenant: () => state });
  await useDomain(world);
  await world.settleNotices();
  world.begin();
  return {
    world,
    sweep: () => checkDomains(world),
    turn: (next: TenantState) => {
      state = next;
    },
    hear: (read = async (): Promise<TenantState | undefined> => state) =>
      checkTenant(
        { source: 'aws.ses', resources: [world.organizationId] },
        { ...world.management, tenantStates: { read } },
        world.log,
      ),
  };
}

const stateOf = async (world: IdentityWorld) => (await world.read()).organization?.tenant;
const pauseOf = async (world: IdentityWorld) => {
  const { identity } = await world.read();
  return identity?.nextCheckAt === undefined ? undefined : identity.nextCheckAt - world.now();
};

describe('checkTenant', () => {
  it('stores at once that SES has paused the organization, and notifies it once', async () => {
    const { world, turn, hear, sweep } = await newTenant();
    turn(paused);

    await hear();
    const pause = await pauseOf(world);
    await hear();
    await sweep();

    expect(await stateOf(world)).toEqual(paused);
    expect(pause).toBe(3_600_000);
    expect(await world.notices()).toMatchObject([
      { cause: 'tenant_paused', text: expect.stringContaining('High bounce rate') },
    ]);
  });

  it('stores that the pause is lifted, and notifies nobody', async () => {
    const { world, turn, hear } = await newTenant();
    turn(paused);
    await hear();
    await world.settleNotices();
    turn(enabled);

    await hear();

    expect(await stateOf(world)).toEqual(enabled);
    expect(await world.notices()).toEqual([]);
  });

  it('asks SES for the current status, whatever the late event says', async () => {
    const { world, hear } = await newTenant();

    await hear();

    expect(await stateOf(world)).toEqual(enabled);
    expect(world.effects()).toEqual([]);
  });

  it('updates the reason while the pause lasts, without another notice', async () => {
    const { world, turn, hear } = await newTenant();
    turn(paused);
    await hear();
    await world.settleNotices();
    turn({ ...paused, reason: 'Complaints' });

    await hear();

    expect(await stateOf(world)).toEqual({ sending: 'paused', reason: 'Complaints' });
    expect(await world.notices()).toEqual([]);
  });

  it('changes nothing for an organization whose sends name no tenant yet', async () => {
    const world = await openIdentityWorld(openMemoryTable());
    await setDomain(world);
    world.begin();

    await checkTenant(
      { source: 'aws.ses', resources: [world.organizationId, newOrganizationId()] },
      { ...world.management, tenantStates: { read: async () => paused } },
      world.log,
    );

    expect(await stateOf(world)).toBeUndefined();
    expect(world.effects()).toEqual([]);
  });

  it('plans no further check of an abandoned identity', async () => {
    const { world, turn, hear, sweep } = await newTenant();
    world.fake.verify(domain, 'FAILED');
    await sweep();
    world.pass(givenUpAfterMs);
    await sweep();
    await sweep();
    turn(paused);

    await hear();

    expect(await stateOf(world)).toEqual(paused);
    expect(await pauseOf(world)).toBeUndefined();
  });

  it('asks again when a check of the identity was faster', async () => {
    const { world, turn, hear, sweep } = await newTenant();
    turn(paused);
    let reads = 0;
    const read = async () => {
      reads += 1;
      if (reads > 1) return enabled;
      // The answer of before, which is old by the time that it is stored.
      turn(enabled);
      await sweep();
      return paused;
    };

    await hear(read);

    expect(reads).toBe(2);
    expect(await stateOf(world)).toEqual(enabled);
    expect(await world.notices()).toEqual([]);
  });

  it('fails when others keep changing the identity, so that the event is retried', async () => {
    const { hear, sweep } = await newTenant();

    const heard = hear(async () => {
      await sweep();
      return paused;
    });

    await expect(heard).rejects.toThrow('keep changing the identity');
  });

  it.each(['before', 'after'] as const)(
    'stores both status and notice or neither when it dies right %s storing',
    async (when) => {
      const { world, turn, hear } = await newTenant();
      turn(paused);
      world.begin({ effect: 1, when });
      await expect(hear()).rejects.toThrow(when);
      const state = await stateOf(world);
      const notices = await world.notices();
      world.begin();

      await hear();

      expect([state?.sending, notices.length]).toEqual(
        when === 'before' ? ['enabled', 0] : ['paused', 1],
      );
      expect(await stateOf(world)).toEqual(paused);
      expect(await world.notices()).toHaveLength(1);
    },
  );

  it("fails when SES doesn't answer, and stores nothing", async () => {
    const { world, hear } = await newTenant();

    const heard = hear(() => Promise.reject(new Error('SES is silent')));

    await expect(heard).rejects.toThrow('SES is silent');
    expect(world.effects()).toEqual([]);
  });
});

describe('the tenant event', () => {
  const id = newOrganizationId();
  const arn = 'arn:aws:ses:eu-west-1:123456789012';
  const event = (resources: readonly string[]) => ({
    version: '0',
    'detail-type': 'Sending Status Disabled',
    source: 'aws.ses',
    account: '123456789012',
    time: '2026-11-22T12:44:28Z',
    region: 'eu-west-1',
    resources,
    detail: { version: '1.0.0', data: { origin: 'AWS_MANAGED', record: { status: 'DISABLED' } } },
  });

  it.each([
    ['with the id of the tenant', [`${arn}:tenant/${id}/tn-1`], [id]],
    ['without it', [`${arn}:tenant/${id}`], [id]],
    ['of a tenant that is no organization', [`${arn}:tenant/org_other/tn-1`], []],
    ['of something else', [`${arn}:identity/example.com`], []],
  ])('names the organization: %s', (_which, resources, expected) => {
    expect(eventSchema.parse(event(resources)).resources).toEqual(expected);
  });

  it('from another source is refused', () => {
    const forged = { ...event([`${arn}:tenant/${id}/tn-1`]), source: 'somebody' };

    expect(() => eventSchema.parse(forged)).toThrow('aws.ses');
  });
});
