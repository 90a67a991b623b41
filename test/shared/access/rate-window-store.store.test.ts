import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { minuteOf } from '#shared/access/rate-window';
import {
  countDayOfKey,
  countMinuteOfKey,
  countSpanOfOrganization,
} from '#shared/access/rate-window-store';
import { rateWindowKey } from '#shared/table/keys';
import {
  type ApiKeyId,
  newApiKeyId,
  newOrganizationId,
  type OrganizationId,
} from '#shared/tokens/resource-id';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();

const now = 29_000_000 * 60_000;
const newKeyId = () => newApiKeyId(newOrganizationId());

/** What a request to one recipient finds. */
const one = { recipients: 1, cap: 1_000 };
const countRequest = async (id: ApiKeyId, at: number) =>
  (await countMinuteOfKey(table, id, at, one)).count;

describe('the request counter', () => {
  it('counts the requests of one minute, and starts over with the next', async () => {
    const id = newKeyId();
    const moments = [now, now + 30_000, now + 59_999, now + 60_000];

    const counts = [];
    for (const at of moments) counts.push(await countRequest(id, at));

    expect(counts).toEqual([1, 2, 3, 1]);
  });

  it('counts each key separately', async () => {
    const organizationId = newOrganizationId();
    const ids = [newApiKeyId(organizationId), newApiKeyId(organizationId)];

    const counts = await Promise.all(ids.map((id) => countRequest(id, now)));

    expect(counts).toEqual([1, 1]);
  });

  it('counts the UTC day beside the minutes, and starts over with the next', async () => {
    const id = newKeyId();
    const midnight = Date.UTC(2026, 10, 22);
    const count = (at: number) => countDayOfKey(table, id, at, 1);
    await countRequest(id, midnight - 1);

    const before = [
      await count(midnight - 86_400_000),
      await count(midnight - 1),
      await count(midnight),
    ];

    expect(before).toEqual([0, 1, 0]);
  });

  it("doesn't count requests over the cap towards the day", async () => {
    const id = newKeyId();
    const ask = (recipients: number) =>
      countDayOfKey(table, id, now, recipients, { most: 10 - recipients });
    await ask(7);

    const refused = [await ask(4), await ask(4), await ask(11)];
    const before = [await ask(2), await ask(1), await ask(1)];

    expect([refused, before]).toEqual([
      [Infinity, Infinity, Infinity],
      [7, 9, Infinity],
    ]);
  });

  it('gives each of 50 concurrent requests its own number', async () => {
    const id = newKeyId();

    const counts = await Promise.all(Array.from({ length: 50 }, () => countRequest(id, now)));

    expect(counts.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
  });

  it('counts every recipient, and one for a request over the cap', async () => {
    const id = newKeyId();
    const ask = (recipients: number) => countMinuteOfKey(table, id, now, { recipients, cap: 10 });

    const counts = [await ask(4), await ask(7), await ask(5), await ask(1), await ask(11)];

    expect(counts).toEqual([
      { count: 4, fits: true },
      { count: 5, fits: false },
      { count: 10, fits: true },
      { count: 11, fits: false },
      { count: 12, fits: false },
    ]);
  });

  it('lets single recipients through up to the cap and no further', async () => {
    const id = newKeyId();
    const ask = () => countMinuteOfKey(table, id, now, { recipients: 1, cap: 2 });

    const counts = [await ask(), await ask(), await ask()];

    expect(counts).toEqual([
      { count: 1, fits: true },
      { count: 2, fits: true },
      { count: 3, fits: false },
    ]);
  });

  it('never lets concurrent requests exceed the cap', async () => {
    const id = newKeyId();

    const counts = await Promise.all(
      Array.from({ length: 20 }, () =>
        countMinuteOfKey(table, id, now, { recipients: 30, cap: 100 }),
      ),
    );

    expect(counts.filter(({ fits }) => fits)).toHaveLength(3);
  });

  it("counts an organization's ten seconds beside its keys, whatever fits", async () => {
    const [organizationId, other] = [newOrganizationId(), newOrganizationId()];
    const count = (id: OrganizationId, at: number, recipients: number) =>
      countSpanOfOrganization(table, id, at, recipients);

    const before = [
      await count(organizationId, now, 3),
      await count(organizationId, now + 9_999, 50),
      await count(organizationId, now + 9_999, 1),
      await count(organizationId, now + 10_000, 1),
      await count(other, now, 1),
    ];

    expect(before).toEqual([0, 3, 53, 0, 0]);
  });

  it('expires once the period is over', async () => {
    const id = newKeyId();
    await countRequest(id, now);

    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: rateWindowKey(id, minuteOf(now)) }),
    );

    expect(Item?.['expiresAt']).toBeGreaterThan((now + 60_000) / 1000);
  });
});
