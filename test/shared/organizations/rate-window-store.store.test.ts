import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { minuteOf } from '#shared/organizations/rate-limit';
import { countRequest, countRequestOfDay } from '#shared/organizations/rate-window-store';
import { rateWindowKey } from '#shared/table/keys';
import { newApiKeyId, newOrganizationId } from '#shared/tokens/resource-id';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

const now = 29_000_000 * 60_000;
const newKeyId = () => newApiKeyId(newOrganizationId());

describe('countRequest', () => {
  it('counts the requests of one minute', async () => {
    const id = newKeyId();

    const counts = [
      await countRequest(table, id, now),
      await countRequest(table, id, now + 30_000),
      await countRequest(table, id, now + 59_999),
    ];

    expect(counts).toEqual([1, 2, 3]);
  });

  it('begins anew with the next minute', async () => {
    const id = newKeyId();
    await countRequest(table, id, now);

    expect(await countRequest(table, id, now + 60_000)).toBe(1);
  });

  it('counts each key for itself', async () => {
    const organizationId = newOrganizationId();
    const ids = [newApiKeyId(organizationId), newApiKeyId(organizationId)];

    const counts = await Promise.all(ids.map((id) => countRequest(table, id, now)));

    expect(counts).toEqual([1, 1]);
  });

  it('counts the day in UTC beside the minutes, and begins anew with the next', async () => {
    const id = newKeyId();
    const midnight = Date.UTC(2026, 10, 22);
    await countRequest(table, id, midnight - 1);

    const counts = [
      await countRequestOfDay(table, id, midnight - 86_400_000),
      await countRequestOfDay(table, id, midnight - 1),
      await countRequestOfDay(table, id, midnight),
    ];

    expect(counts).toEqual([1, 2, 1]);
  });

  it('gives each of 50 requests at once a number of its own', async () => {
    const id = newKeyId();

    const counts = await Promise.all(
      Array.from({ length: 50 }, () => countRequest(table, id, now)),
    );

    expect(counts.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
  });

  it('lets the window be forgotten once it is over', async () => {
    const id = newKeyId();
    await countRequest(table, id, now);

    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: rateWindowKey(id, minuteOf(now)) }),
    );

    expect(Item?.['expiresAt']).toBeGreaterThan((now + 60_000) / 1000);
  });
});
