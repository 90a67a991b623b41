import { describe, expect, it } from 'vitest';
import { ServiceError } from '#shared/errors/service-error';
import { readDomain } from '#shared/identity/set-domain';
import { showDomain, showIdentity } from '#shared/identity/show-identity';
import { newOrganizationId, newWebhookId } from '#shared/tokens/resource-id';
import { endpoint as setIdentity } from '../../../functions/set-identity/set-identity.ts';
import { type IdentityWorld, openIdentityWorld } from '../../support/identity-world.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { serviceErrorOf } from '../../support/service-error.ts';
import { surroundings } from '../../support/surroundings.ts';

const domain = 'mail.example.com';
const wanted = { domain, fromEmail: `hello@${domain}`, mailFromLabel: 'bounces' };

const get = async (world: IdentityWorld) => showIdentity(await world.read(), world.management);
const set = (world: IdentityWorld) =>
  setIdentity.run({ ...surroundings, ...world.request, body: wanted }, world.management);

async function newWorld() {
  const webhookId = newWebhookId(organizationId);
  const memory = openMemoryTable();
  const world = await openIdentityWorld(memory, {
    organization: { id: organizationId, webhooks: { [webhookId]: { eventTypes: [] } } },
  });
  const reported = () => memory.items().filter(({ type }) => type === 'identity.active');
  return { world, reported };
}
const organizationId = newOrganizationId();

describe('showIdentity', () => {
  it('finds nothing when none was set', async () => {
    const { world } = await newWorld();

    expect((await serviceErrorOf(() => get(world))).code).toBe('identity_not_found');
  });

  it('writes nothing when SES reports no change', async () => {
    const { world } = await newWorld();
    await set(world);
    world.begin();

    await get(world);

    expect(world.effects()).toEqual([]);
  });

  it('makes an identity active as soon as SES says so, and notifies webhooks once', async () => {
    const { world, reported } = await newWorld();
    await set(world);
    world.fake.verify(domain, 'SUCCESS');

    const [identity] = await Promise.all([get(world), get(world)]);
    await get(world);

    expect(identity).toMatchObject({ status: 'active', sendingAs: { domain } });
    expect((await world.read()).organization?.identity).toEqual({
      domain,
      fromEmail: `hello@${domain}`,
      status: 'active',
    });
    expect(reported()).toHaveLength(1);
  });

  it('shows why SES could not verify the domain', async () => {
    const { world } = await newWorld();
    await set(world);
    world.fake.verify(domain, 'PENDING', 'HOST_NOT_FOUND');

    const identity = await get(world);

    expect(identity.status).toBe('pending');
    expect(identity.reason).toContain('HOST_NOT_FOUND');
  });

  it('keeps an identity active while SES reports a temporary failure', async () => {
    const { world } = await newWorld();
    await set(world);
    world.fake.verify(domain, 'SUCCESS');
    await get(world);
    world.fake.verify(domain, 'TEMPORARY_FAILURE');

    expect((await get(world)).status).toBe('active');
  });

  it('stops sends as soon as SES has lost the domain, and resumes them when it is back', async () => {
    const { world } = await newWorld();
    await set(world);
    world.fake.verify(domain, 'SUCCESS');
    await get(world);
    world.fake.verify(domain, 'FAILED');
    const lost = await get(world);
    const stopped = (await world.read()).organization?.identity?.status;
    world.fake.verify(domain, 'SUCCESS');
    await get(world);

    expect(lost).toMatchObject({ status: 'failed', sendingAs: null });
    expect(stopped).toBe('pending');
    expect((await world.read()).organization?.identity?.status).toBe('active');
  });

  it('shows no DKIM record of a domain that SES has for another organization', async () => {
    const { world } = await newWorld();
    await set(world);
    world.fake.putForeign(domain);

    const identity = await get(world);

    expect(identity.status).toBe('pending');
    expect(identity.records.map(({ purpose }) => purpose)).not.toContain('dkim');
  });

  it('asks SES once in 30 seconds, however often it is called', async () => {
    const world = await openIdentityWorld(openMemoryTable(), { answerKeptMs: 30_000 });
    await set(world);
    world.fake.verify(domain, 'SUCCESS');
    world.fake.calls.length = 0;

    const kept = await get(world);
    await Promise.all(Array.from({ length: 10 }, () => get(world)));
    const polls = world.fake.calls.length;
    world.pass(30_000);
    const together = await Promise.allSettled([get(world), get(world), get(world)]);
    const asked = world.fake.calls.length;

    expect(kept.status).toBe('pending');
    expect(polls).toBe(0);
    expect(together.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
    expect(asked).toBe(1);
    expect((await get(world)).status).toBe('active');
  });
});

describe('showDomain', () => {
  it('asks SES once when SES throttles, and says so', async () => {
    const { world } = await newWorld();
    await set(world);
    let asked = 0;
    const throttled = async () => {
      asked += 1;
      throw new ServiceError('provider_throttled');
    };
    const ses = { ...world.management.ses, get: throttled };
    const management = { ...world.management, ses };
    const context = await readDomain(management.table, organizationId, domain);

    const error = await serviceErrorOf(() => showDomain(context, management));

    expect(error.code).toBe('provider_throttled');
    expect(asked).toBe(1);
  });
});
