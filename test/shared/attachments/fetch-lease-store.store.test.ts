import { expect, it } from 'vitest';
import { fetchLeaseMs, openFetchLeaseStore } from '#shared/attachments/fetch-lease-store';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const { take } = openFetchLeaseStore(table);
const now = 1_750_000_000_000;

it('gives out as many leases as there are places, even to concurrent requests', async () => {
  const id = newOrganizationId();

  const leases = await Promise.all(Array.from({ length: 12 }, () => take(id, 3, now)));

  expect(leases.filter((lease) => lease !== undefined)).toHaveLength(3);
  expect(await take(newOrganizationId(), 3, now)).toBeDefined();
});

it('gives a place again once it is released', async () => {
  const id = newOrganizationId();
  const lease = await take(id, 1, now);

  expect(await take(id, 1, now)).toBeUndefined();
  await lease?.release();

  expect(await take(id, 1, now)).toBeDefined();
});

it('ends a lease by itself when its process dies, and not before', async () => {
  const id = newOrganizationId();
  await take(id, 1, now);

  expect(await take(id, 1, now + fetchLeaseMs - 1)).toBeUndefined();
  expect(await take(id, 1, now + fetchLeaseMs)).toBeDefined();
});

it('releases nothing of a request that took the place after the lease had ended', async () => {
  const id = newOrganizationId();
  const late = await take(id, 1, now);
  await take(id, 1, now + fetchLeaseMs);

  await late?.release();

  expect(await take(id, 1, now + fetchLeaseMs + 1)).toBeUndefined();
});
