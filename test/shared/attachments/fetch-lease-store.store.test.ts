import { expect, it } from 'vitest';
import {
  fetchLeaseMs,
  releaseFetchLease,
  takeFetchLease,
} from '#shared/attachments/fetch-lease-store';
import { newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const now = 1_750_000_000_000;

const take = (id: OrganizationId, places: number, at: number) =>
  takeFetchLease(table, id, places, at);

const mustTake = async (id: OrganizationId) => {
  const lease = await take(id, 1, now);
  if (lease === undefined) throw new Error('No place is free');
  return lease;
};

it('gives out as many leases as there are places, even to concurrent requests', async () => {
  const id = newOrganizationId();

  const leases = await Promise.all(Array.from({ length: 12 }, () => take(id, 3, now)));

  expect(leases.filter((lease) => lease !== undefined)).toHaveLength(3);
  expect(await take(newOrganizationId(), 3, now)).toBeDefined();
});

it('gives a place again once it is released', async () => {
  const id = newOrganizationId();
  const lease = await mustTake(id);

  expect(await take(id, 1, now)).toBeUndefined();
  await releaseFetchLease(table, lease);

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
  const late = await mustTake(id);
  await take(id, 1, now + fetchLeaseMs);

  await releaseFetchLease(table, late);

  expect(await take(id, 1, now + fetchLeaseMs + 1)).toBeUndefined();
});
