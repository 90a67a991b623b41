import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { dayNumberOf } from '#shared/access/rate-window';
import {
  giveBackRequestQuota,
  readRequestQuota,
  takeRequestQuota,
} from '#shared/access/request-quota-store';
import { dayQuotaKey } from '#shared/table/keys';
import { newOrganizationId, type OrganizationId } from '#shared/tokens/resource-id';
import {
  doBefore,
  dyingTable,
  loseFirstAnswer,
  openDisturbedTable,
} from '../../support/disturbed-table.ts';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const midnight = Date.UTC(2026, 10, 22);
const now = midnight + 3_600_000;

/** The limit at which the day was last found full. */
async function fullAt(id: OrganizationId, quota = 'UPLOADS'): Promise<unknown> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: dayQuotaKey(id, quota, dayNumberOf(now)) }),
  );
  return Item?.['fullAt'];
}

describe('a daily quota', () => {
  it("counts what fits, to the last byte, and nothing that doesn't", async () => {
    const id = newOrganizationId();
    const count = (size: number) => takeRequestQuota(table, id, 'UPLOADS', size, 10, now);

    const fits = [await count(11), await count(6), await count(5), await count(4), await count(1)];

    expect(fits).toEqual([false, true, false, true, false]);
    expect(await readRequestQuota(table, id, 'UPLOADS', now)).toBe(10);
  });

  it('accepts exactly the limit as the first request of a day', async () => {
    const id = newOrganizationId();

    expect(await takeRequestQuota(table, id, 'UPLOADS', 10, 10, now)).toBe(true);
    expect(await readRequestQuota(table, id, 'UPLOADS', now)).toBe(10);
  });

  it('never gives concurrent requests more than the limit', async () => {
    const id = newOrganizationId();

    const fits = await Promise.all(
      Array.from({ length: 20 }, () => takeRequestQuota(table, id, 'UPLOADS', 30, 100, now)),
    );

    expect(fits.filter(Boolean)).toHaveLength(3);
    expect(await readRequestQuota(table, id, 'UPLOADS', now)).toBe(90);
  });

  it('counts each organization, quota and UTC day separately', async () => {
    const [id, other] = [newOrganizationId(), newOrganizationId()];

    await takeRequestQuota(table, id, 'UPLOADS', 7, 10, midnight - 1);
    await takeRequestQuota(table, id, 'UPLOADS', 8, 10, midnight);

    expect(await readRequestQuota(table, id, 'UPLOADS', midnight - 1)).toBe(7);
    expect(await readRequestQuota(table, id, 'UPLOADS', midnight)).toBe(8);
    expect(await readRequestQuota(table, other, 'UPLOADS', midnight)).toBe(0);
    expect(await takeRequestQuota(table, id, 'CHANGES', 10, 10, midnight)).toBe(true);
  });

  it('expires once the day is over', async () => {
    const id = newOrganizationId();
    await takeRequestQuota(table, id, 'UPLOADS', 1, 10, now);

    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: dayQuotaKey(id, 'UPLOADS', dayNumberOf(now)) }),
    );

    expect(Item).toMatchObject({ expiresAt: now / 1_000 + 2 * 86_400 });
  });

  it('reports the request that found most of the day used, once per limit', async () => {
    const id = newOrganizationId();
    await takeRequestQuota(table, id, 'UPLOADS', 79, 100, now);
    await takeRequestQuota(table, id, 'UPLOADS', 90, 100, now);
    const beforeMost = await fullAt(id);

    await takeRequestQuota(table, id, 'UPLOADS', 1, 100, now);
    const refused = [30, 40].map((size) => takeRequestQuota(table, id, 'UPLOADS', size, 100, now));
    expect(await Promise.all(refused)).toEqual([false, false]);
    const full = await fullAt(id);
    await takeRequestQuota(table, id, 'UPLOADS', 300, 90, now);
    await takeRequestQuota(table, id, 'UPLOADS', 20, 90, now);

    expect([beforeMost, full, await fullAt(id)]).toEqual([undefined, 100, 90]);
    expect(await readRequestQuota(table, id, 'UPLOADS', now)).toBe(80);
  });

  it("still refuses if that can't be recorded, and reports it at the next refusal", async () => {
    const id = newOrganizationId();
    await takeRequestQuota(table, id, 'UPLOADS', 80, 100, now);
    const dying = dyingTable(2);

    expect(await takeRequestQuota(dying, id, 'UPLOADS', 30, 100, now)).toBe(false);
    const before = await fullAt(id);
    expect(await takeRequestQuota(table, id, 'UPLOADS', 30, 100, now)).toBe(false);

    expect([before, await fullAt(id)]).toEqual([undefined, 100]);
  });

  it('reports nothing for test emails', async () => {
    const id = newOrganizationId();
    await takeRequestQuota(table, id, 'TEST_WAITING', 90, 100, now);

    expect(await takeRequestQuota(table, id, 'TEST_WAITING', 30, 100, now)).toBe(false);

    expect(await fullAt(id, 'TEST_WAITING')).toBeUndefined();
  });

  it("takes back what wasn't used, and never more than was taken", async () => {
    const id = newOrganizationId();
    await takeRequestQuota(table, id, 'CONTACTS', 7, 10, now);

    await giveBackRequestQuota(table, id, 'CONTACTS', 5, now);
    expect(await readRequestQuota(table, id, 'CONTACTS', now)).toBe(2);

    await giveBackRequestQuota(table, id, 'CONTACTS', 3, now);
    expect(await readRequestQuota(table, id, 'CONTACTS', now)).toBe(0);
  });

  it('gives back once if the write is repeated after a lost answer', async () => {
    const id = newOrganizationId();
    await takeRequestQuota(table, id, 'CONTACTS', 7, 10, now);
    const repeating = openDisturbedTable(loseFirstAnswer('UpdateItem'));

    await giveBackRequestQuota(repeating, id, 'CONTACTS', 2, now);

    expect(await readRequestQuota(table, id, 'CONTACTS', now)).toBe(5);
  });

  it('gives nothing back if another request counts in between', async () => {
    const id = newOrganizationId();
    await takeRequestQuota(table, id, 'CONTACTS', 7, 10, now);
    const another = () => takeRequestQuota(table, id, 'CONTACTS', 1, 10, now);
    const interrupted = openDisturbedTable(doBefore('UpdateItem', 0, another));

    await giveBackRequestQuota(interrupted, id, 'CONTACTS', 2, now);

    expect(await readRequestQuota(table, id, 'CONTACTS', now)).toBe(8);
  });
});
