import { describe, expect, it } from 'vitest';
import { openDomainClaimStore } from '#shared/identity/domain-claim-store';
import { newCursorSecret } from '#shared/table/cursor';
import { listDomainClaims } from '../../../functions/list-domain-claims/list-domain-claims.ts';
import { setIdentity } from '../../../functions/set-identity/set-identity.ts';
import { openIdentityWorld } from '../../support/identity-world.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';

describe('listDomainClaims', () => {
  it('lists every organization that wants a domain, page by page, and which one owns it', async () => {
    const { table } = openMemoryTable();
    const domain = 'mail.example.com';
    const caller = { id: 'operator', secret: newCursorSecret() };
    const claims = openDomainClaimStore(table);
    for (const isUnproven of [false, true]) {
      const world = await openIdentityWorld(table, { isUnproven });
      world.pass(isUnproven ? 1_000 : 0);
      const wanted = { domain, fromEmail: `x@${domain}`, mailFromLabel: 'bounces' };
      await setIdentity({ ...world.request, body: wanted }, world.management);
    }

    const first = await listDomainClaims(
      { caller, query: { limit: 1, cursor: undefined } },
      claims,
    );
    const cursor = first.nextCursor ?? '';
    const second = await listDomainClaims({ caller, query: { limit: 1, cursor } }, claims);

    expect(first.data).toMatchObject([{ domain, isOwner: false }]);
    expect(second.data).toMatchObject([{ domain, isOwner: true, proof: 'record' }]);
    expect(second.nextCursor).toBeNull();
  });
});
