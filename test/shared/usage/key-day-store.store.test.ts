import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { keyDayKey } from '#shared/table/keys';
import { daysBefore } from '#shared/timing/day';
import {
  type ApiKeyId,
  newApiKeyId,
  newOrganizationId,
  type OrganizationId,
} from '#shared/tokens/resource-id';
import { usualDays } from '#shared/usage/day';
import { addKeyDay, maxKeysAtOnce, maxKeysWatched, readKeyDays } from '#shared/usage/key-day-store';
import { readUsage } from '#shared/usage/usage-store';
import { openStoreTable } from '../../support/store-table.ts';

const table = openStoreTable();
const [shard, otherShard] = ['shardId-1', 'shardId-2'];
const day = '2026-06-15';

const entryOf = (sequence: number, apiKeyId: ApiKeyId, recipients = 1) => ({
  sequence: `${sequence}`.padStart(40, '0'),
  apiKeyId,
  recipients,
});

const tallyOf = (organizationId: OrganizationId, apiKeyId: ApiKeyId, sequences: number[]) => ({
  organizationId,
  day,
  entries: sequences.map((sequence) => entryOf(sequence, apiKeyId)),
});

async function sumOf(organizationId: OrganizationId, apiKeyId: ApiKeyId, on = day) {
  const parts = await readKeyDays(table, organizationId, on);
  return parts.reduce((sum, { recipients }) => sum + (recipients.get(apiKeyId) ?? 0), 0);
}

describe('daily counts of keys', () => {
  it('are kept per key, and each shard returns its count so far', async () => {
    const organizationId = newOrganizationId();
    const [one, other] = [newApiKeyId(organizationId), newApiKeyId(organizationId)];

    await addKeyDay(table, shard, tallyOf(organizationId, one, [1, 2]));
    const counted = await addKeyDay(table, shard, tallyOf(organizationId, other, [3]));
    const elsewhere = await addKeyDay(table, otherShard, tallyOf(organizationId, one, [1]));

    expect(counted).toEqual({
      day,
      recipients: new Map([
        [one, 2],
        [other, 1],
      ]),
    });
    expect(elsewhere).toEqual({ day, recipients: new Map([[one, 1]]) });
    expect(await sumOf(organizationId, one)).toBe(3);
    expect(await sumOf(organizationId, other)).toBe(1);
  });

  it('are kept once even for more keys than one update can name', async () => {
    const organizationId = newOrganizationId();
    const keys = Array.from({ length: 5 * maxKeysAtOnce }, () => newApiKeyId(organizationId));
    const entries = [...keys, ...keys].map((apiKeyId, index) => entryOf(index, apiKeyId, 3));
    const tally = { organizationId, day, entries };

    await addKeyDay(table, shard, tally);
    const { recipients } = await addKeyDay(table, shard, tally);

    expect(recipients).toEqual(new Map(keys.map((apiKeyId) => [apiKeyId, 6])));
  });

  it('are kept in items of a bounded size, however many keys an organization has', async () => {
    const organizationId = newOrganizationId();
    const keys = Array.from({ length: maxKeysWatched + 70 }, () => newApiKeyId(organizationId));
    const [regular = newApiKeyId(organizationId)] = keys;
    const count = (first: number) => {
      const entries = keys.map((apiKeyId, index) => entryOf(first + index, apiKeyId));
      return addKeyDay(table, shard, { organizationId, day, entries });
    };

    await count(0);
    const { recipients } = await count(1_000);

    expect(recipients.size).toBe(maxKeysWatched);
    expect(recipients.get(regular)).toBe(2);
    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: keyDayKey(organizationId, day, shard) }),
    );
    expect(Item?.['others']).toBe(2 * 70);
    expect(Item?.['expiresAt']).toBe(Date.parse(day) / 1_000 + (usualDays + 10) * 86_400);
    expect(JSON.stringify(Item).length).toBeLessThan(16_000);
  });

  it('are returned when all of a batch was counted before', async () => {
    const organizationId = newOrganizationId();
    const apiKeyId = newApiKeyId(organizationId);
    await addKeyDay(table, shard, tallyOf(organizationId, apiKeyId, [1, 2, 3]));

    const counted = await addKeyDay(table, shard, tallyOf(organizationId, apiKeyId, [2, 3]));

    expect(counted.recipients.get(apiKeyId)).toBe(3);
  });

  it("are read for one organization as far back as is usual, and add nothing to a month's usage", async () => {
    const [organizationId, stranger] = [newOrganizationId(), newOrganizationId()];
    const apiKeyId = newApiKeyId(organizationId);
    await addKeyDay(table, shard, tallyOf(organizationId, apiKeyId, [1]));
    await addKeyDay(table, shard, tallyOf(stranger, newApiKeyId(stranger), [1]));
    const later = (days: number) => daysBefore(day, -days);

    expect(await sumOf(organizationId, apiKeyId, later(usualDays))).toBe(1);
    expect(await sumOf(organizationId, apiKeyId, later(usualDays + 1))).toBe(0);
    expect(await sumOf(organizationId, apiKeyId, later(-1))).toBe(0);
    expect(await readKeyDays(table, stranger, day)).toHaveLength(1);
    expect(await readUsage(table, organizationId, { from: '2000-01', to: '2099-12' })).toEqual([]);
  });
});
