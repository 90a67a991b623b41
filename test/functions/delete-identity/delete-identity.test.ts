import { describe, expect, it } from 'vitest';
import { endpoint as deleteIdentity } from '../../../functions/delete-identity/delete-identity.ts';
import {
  mailDomain as domain,
  type IdentityWorld,
  openIdentityWorld,
  setDomain,
} from '../../support/identity-world.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const newWorld = () => openIdentityWorld(openMemoryTable());
const remove = (world: IdentityWorld, management = world.management) =>
  deleteIdentity.run({ ...surroundings, ...world.request }, management);

describe('deleteIdentity', () => {
  it('stops sends first, then removes the domain from SES, then releases it', async () => {
    const world = await newWorld();
    await setDomain(world);
    world.begin();

    await remove(world);

    expect(world.effects()).toEqual(['IDENTITY', 'LEASE', 'delete', 'IDENTITY', 'LEASE']);
    expect((await world.read()).identity).toBeUndefined();
  });

  it("succeeds even when SES doesn't answer, and leaves the rest to the check", async () => {
    const world = await newWorld();
    await setDomain(world);
    const ses = {
      ...world.management.ses,
      delete: async () => {
        throw new Error('SES is silent');
      },
    };

    await remove(world, { ...world.management, ses });

    expect((await world.read()).identity?.removing).toEqual([domain]);
    expect(world.lines).toMatchObject([{ level: 'error', message: 'domain not yet out of SES' }]);
  });

  it("leaves a domain in SES that isn't the organization’s", async () => {
    const world = await newWorld();
    await setDomain(world);
    world.fake.putForeign(domain);

    await remove(world);

    expect(world.fake.domains.has(domain)).toBe(true);
    expect((await world.read()).identity).toBeUndefined();
  });

  it('finds nothing where none was set', async () => {
    const world = await newWorld();

    expect((await serviceErrorOf(() => remove(world))).code).toBe('identity_not_found');
  });
});
