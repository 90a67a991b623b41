import { describe, expect, it } from 'vitest';
import { readDomainClaimPage } from '#shared/identity/domain-claim-store';
import { readDomainOwnership } from '#shared/identity/domain-store';
import { vouchForDomain } from '#shared/identity/settle-ownership';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { endpoint as deleteIdentity } from '../../../functions/delete-identity/delete-identity.ts';
import {
  checkDomains,
  createFakeSes,
  mailDomain as domain,
  type IdentityWorld,
  openIdentityWorld,
  setDomain,
  useDomain,
  verifyDomains,
} from '../../support/identity-world.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const dayMs = 86_400_000;
const statusOf = async (world: IdentityWorld) => (await world.read()).identity?.wanted?.status;

async function newWorld() {
  const memory = openMemoryTable();
  const fake = createFakeSes();
  const { table } = memory;
  const world = await openIdentityWorld(memory, { fake, isUnproven: true });
  const vouch = ({ organizationId }: Pick<IdentityWorld, 'organizationId'> = world) =>
    vouchForDomain(
      { caller: { actor: 'operator' }, body: { domain, organizationId } },
      { table, now: world.now },
    );
  const listed = async (at = world.now()) =>
    (await readDomainClaimPage(table, { before: undefined, limit: 10 }, at)).claims;
  return { memory, fake, world, vouch, listed };
}

describe('vouchForDomain', () => {
  it('gives the organization the domain without a record, whether before or after the claim', async () => {
    for (const isFirst of [true, false]) {
      const { fake, world, vouch } = await newWorld();
      if (isFirst) await vouch();
      await setDomain(world);
      if (!isFirst) await vouch();
      fake.verify(domain, 'SUCCESS');

      await checkDomains(world);

      expect(await statusOf(world)).toBe('active');
    }
  });

  it('has a waiting domain checked at once, and changes nothing when repeated', async () => {
    const { world, vouch, listed } = await newWorld();
    await setDomain(world);

    const claim = await vouch();
    await vouch();

    expect(claim).toMatchObject({ domain, isOwner: false, vouchedAt: world.now() });
    expect((await world.read()).identity?.nextCheckAt).toBe(world.now());
    expect(await listed()).toEqual([claim]);
  });

  it('takes no domain from an owner whose record is in DNS', async () => {
    const { memory, fake, world, vouch } = await newWorld();
    const owner = await openIdentityWorld(memory, { fake });
    await useDomain(owner);
    await setDomain(world);

    await vouch();
    await checkDomains(world);

    expect([await statusOf(owner), await statusOf(world)]).toEqual(['active', 'pending']);
  });

  it('ends when the organization removes the domain, and after 30 days without use', async () => {
    const { memory, world, vouch } = await newWorld();
    await setDomain(world);
    await vouch();
    await deleteIdentity.run({ ...surroundings, ...world.request }, world.management);
    await useDomain(world);
    const other = await newWorld();
    await other.vouch();
    const listedAfter = (days: number) => other.listed(other.world.now() + days * dayMs);

    expect(await statusOf(world)).toBe('pending');
    expect((await readDomainOwnership(memory.table, domain, world.now())).claims).toHaveLength(1);
    expect(await listedAfter(29)).toHaveLength(1);
    expect(await listedAfter(31)).toEqual([]);
  });

  it("doesn't apply after it has expired until it is given again", async () => {
    const { world, vouch, listed } = await newWorld();
    await vouch();
    world.pass(30 * dayMs);
    await useDomain(world);
    const late = [await statusOf(world), await listed()];

    const claim = await vouch();
    await checkDomains(world);

    expect(late).toEqual([
      'pending',
      [expect.not.objectContaining({ vouchedAt: expect.anything() })],
    ]);
    expect(await statusOf(world)).toBe('active');
    expect(claim).toMatchObject({ vouchedAt: world.now() });
  });

  it('applies permanently when its organization sets the domain on its last day, or after it was given again', async () => {
    for (const isRepeated of [false, true]) {
      const { world, vouch } = await newWorld();
      await vouch();
      if (isRepeated) {
        world.pass(29 * dayMs);
        await vouch();
      }
      world.pass(30 * dayMs - 1_000);
      await setDomain(world);

      await verifyDomains(world, domain);

      expect(await statusOf(world)).toBe('active');
    }
  });

  it("doesn't find an unknown organization", async () => {
    const { vouch } = await newWorld();

    const error = await serviceErrorOf(() => vouch({ organizationId: newOrganizationId() }));

    expect(error.code).toBe('organization_not_found');
  });
});
