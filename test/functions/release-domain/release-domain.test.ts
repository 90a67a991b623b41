import { describe, expect, it } from 'vitest';
import { readDomainOwnership } from '#shared/identity/domain-store';
import { vouchForDomain } from '#shared/identity/settle-ownership';
import { endpoint as releaseDomain } from '../../../functions/release-domain/release-domain.ts';
import {
  checkDomains,
  mailDomain as domain,
  openIdentityWorld,
  setDomain,
  useDomain,
} from '../../support/identity-world.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { operator, surroundings } from '../../support/surroundings.ts';

async function newWorld() {
  const memory = openMemoryTable();
  const { table } = memory;
  const world = await openIdentityWorld(memory);
  const service = { table, now: world.now, limitsOfDeployment: {} };
  const release = (name = domain) =>
    releaseDomain.run(
      {
        ...surroundings,
        caller: operator,
        path: { domain: name },
        query: { organizationId: world.organizationId },
      },
      service,
    );
  const existing = () => readDomainOwnership(table, domain, world.now());
  return { world, service, existing, release };
}

describe('releaseDomain', () => {
  it('refuses sends at once, removes the domain from SES, and leaves no claim', async () => {
    const { world, existing, release } = await newWorld();
    await useDomain(world);

    await release();
    await release();
    const sending = (await world.read()).organization?.identity;
    await checkDomains(world);

    expect(sending).toBeUndefined();
    expect(world.fake.domains.has(domain)).toBe(false);
    expect((await world.read()).identity).toMatchObject({
      wanted: { status: 'failed', reason: expect.stringContaining('The operator released') },
      removing: [],
    });
    expect(await existing()).toMatchObject({
      owner: undefined,
      claims: [],
    });
    expect((await setDomain(world)).status).toBe('pending');
  });

  it('keeps the domain that sends use when it releases a pending one', async () => {
    const { world, release } = await newWorld();
    await useDomain(world);
    await setDomain(world, 'next.example');

    await release('next.example');
    await checkDomains(world);

    expect((await world.read()).organization?.identity).toMatchObject({ domain, status: 'active' });
    expect([...world.fake.domains.keys()]).toEqual([domain]);
  });

  it('removes an unused vouch', async () => {
    const { world, service, existing, release } = await newWorld();
    await vouchForDomain(
      { caller: { actor: 'operator' }, body: { domain, organizationId: world.organizationId } },
      service,
    );

    await release();

    expect((await existing()).claims).toEqual([]);
  });

  it("doesn't find an unknown claim", async () => {
    const { release } = await newWorld();

    const error = await serviceErrorOf(() => release());

    expect(error.code).toBe('domain_claim_not_found');
  });
});
