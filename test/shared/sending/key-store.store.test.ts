import { describe, expect, it } from 'vitest';
import { claimSend } from '#shared/sending/claim-store';
import { findIdempotencyRecord } from '#shared/sending/key-store';
import { newOrganizationId, organizationIdOf } from '#shared/tokens/resource-id';
import { buildClaim } from '../../support/claim-builder.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

describe('findIdempotencyRecord', () => {
  it('answers what the key was used for', async () => {
    const claim = buildClaim();
    await claimSend(table, claim);
    const organizationId = organizationIdOf(claim.send.id);

    const record = await findIdempotencyRecord(table, organizationId, 'key-1', claim.now);

    expect(record).toEqual({
      state: 'in_progress',
      fingerprint: claim.fingerprint,
      sendId: claim.send.id,
      claimedAt: claim.now,
      leaseExpiresAt: claim.leaseExpiresAt,
    });
  });

  it('answers nothing for a key that is free, or another organization’s', async () => {
    const claim = buildClaim();
    await claimSend(table, claim);
    const organizationId = organizationIdOf(claim.send.id);

    const free = await findIdempotencyRecord(table, organizationId, 'key-2', claim.now);
    const foreign = await findIdempotencyRecord(table, newOrganizationId(), 'key-1', claim.now);

    expect([free, foreign]).toEqual([undefined, undefined]);
  });

  it('answers nothing once the key is forgotten, although its item is still there', async () => {
    const claim = buildClaim();
    await claimSend(table, claim);
    const organizationId = organizationIdOf(claim.send.id);
    const find = (now: number) => findIdempotencyRecord(table, organizationId, 'key-1', now);

    expect(await find(claim.keyExpiresAt * 1000)).toBeDefined();
    expect(await find((claim.keyExpiresAt + 1) * 1000)).toBeUndefined();
  });
});
