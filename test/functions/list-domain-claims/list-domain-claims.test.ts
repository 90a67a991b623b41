import { describe, expect, it } from 'vitest';
import { vouchForDomain } from '#shared/identity/settle-ownership';
import { newCursorSecret } from '#shared/table/cursor';
import { endpoint as listDomainClaims } from '../../../functions/list-domain-claims/list-domain-claims.ts';
import { mailDomain, openIdentityWorld, setDomain } from '../../support/identity-world.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { surroundings } from '../../support/surroundings.ts';

describe('listDomainClaims', () => {
  it('lists every organization that wants a domain, page by page, and which one owns it', async () => {
    const memory = openMemoryTable();
    const { table } = memory;
    const caller = { id: 'operator', secret: newCursorSecret(), actor: 'operator' } as const;
    const service = { table, now: Date.now, limitsOfDeployment: {} };
    for (const isUnproven of [false, true]) {
      const world = await openIdentityWorld(memory, { isUnproven });
      world.pass(isUnproven ? 1_000 : 0);
      await setDomain(world);
    }

    const first = await listDomainClaims.run(
      { ...surroundings, caller, query: { limit: 1, cursor: undefined } },
      service,
    );
    const cursor = first.nextCursor ?? '';
    const second = await listDomainClaims.run(
      { ...surroundings, caller, query: { limit: 1, cursor } },
      service,
    );

    expect(first.data).toMatchObject([{ domain: mailDomain, isOwner: false }]);
    expect(second.data).toMatchObject([{ domain: mailDomain, isOwner: true, proof: 'record' }]);
    expect(second.nextCursor).toBeNull();
  });

  it('keeps the position of a vouched claim after a later one arrives', async () => {
    const memory = openMemoryTable();
    const { table } = memory;
    const caller = { id: 'operator', secret: newCursorSecret(), actor: 'operator' } as const;
    const [first, second] = [await openIdentityWorld(memory), await openIdentityWorld(memory)];
    await setDomain(first);
    second.pass(1_000);
    await setDomain(second);
    first.pass(2_000);
    const service = { table, now: first.now, limitsOfDeployment: {} };
    const { organizationId } = first;
    await vouchForDomain(
      { caller: { actor: 'operator' }, body: { domain: mailDomain, organizationId } },
      service,
    );

    const query = { limit: 2, cursor: undefined };
    const { data } = await listDomainClaims.run({ ...surroundings, caller, query }, service);

    const listed = data.map((claim) => claim.organizationId);
    expect(listed).toEqual([second.organizationId, organizationId]);
  });
});
