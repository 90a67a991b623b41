import { describe, expect, it } from 'vitest';
import { ensureContact } from '#shared/contacts/contact-store';
import { countBareAddress } from '#shared/preferences/bare-address-store';
import { bareAddressKey } from '#shared/table/keys';
import { queryAll } from '#shared/table/reads';
import { hourOf } from '#shared/timing/hour';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const now = 486_111 * 3_600_000;
const newIdentity = () => `ann.${newOrganizationId()}@example.com`;

describe('countBareAddress', () => {
  it('counts the requests of one hour, known or not', async () => {
    const identity = newIdentity();

    const unknown = await countBareAddress(table, identity, now);
    await ensureContact(table, newOrganizationId(), identity, now);

    expect(unknown).toBe(1);
    expect(await countBareAddress(table, identity, now + 3_599_999)).toBe(2);
  });

  it('starts again with the next hour, and for each address', async () => {
    const identity = newIdentity();
    await countBareAddress(table, identity, now);

    expect(await countBareAddress(table, identity, now + 3_600_000)).toBe(1);
    expect(await countBareAddress(table, newIdentity(), now)).toBe(1);
  });

  it('counts each of 20 concurrent requests', async () => {
    const identity = newIdentity();

    const counts = await Promise.all(
      Array.from({ length: 20 }, () => countBareAddress(table, identity, now)),
    );

    expect(new Set(counts).size).toBe(20);
  });

  it('stores a digest and a number that expires with the hour, and no address', async () => {
    const identity = newIdentity();
    await countBareAddress(table, identity, now);
    const key = bareAddressKey(identity, hourOf(now));

    const rows = await queryAll(table, { pk: key.pk });

    expect(rows).toEqual([{ ...key, requests: 1, expiresAt: now / 1000 + 3_600 }]);
    expect(JSON.stringify(rows)).not.toContain('ann.');
  });
});
