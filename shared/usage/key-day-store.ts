import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { toSeconds } from '#shared/table/expiry';
import { keyDayKey, keyDaysOf } from '#shared/table/keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import {
  type ApiKeyId,
  apiKeyIdOf,
  apiKeyOwnPart,
  type OrganizationId,
} from '#shared/tokens/resource-id';
import { addOnce } from './counter-store.ts';
import { type Day, daysBefore, usualDays } from './day.ts';
import { partsOf } from './entry-parts.ts';
import type { KeyDayTally } from './key-day-tally.ts';

/** How many emails keys sent on a day, as one shard tells. */
export type KeyDay = { readonly day: Day; readonly sends: ReadonlyMap<ApiKeyId, number> };

const keptMs = (usualDays + 10) * 86_400_000;

/**
 * Counts what a shard tells of the keys of one organization on one day. Each change counts once, however often
 * it comes.
 *
 * @returns what the shard has told of that day until now.
 */
export async function addKeyDay(
  table: Table,
  shardId: string,
  { organizationId, day, entries }: KeyDayTally,
): Promise<KeyDay> {
  const item = {
    key: keyDayKey(organizationId, day, shardId),
    attributes: { day, expiresAt: toSeconds(Date.parse(day) + keptMs) },
  };
  let stored: StoredItem = { day };
  // One after another: the mark in the item says that all before it is counted.
  for (const part of partsOf(entries, ({ apiKeyId }) => apiKeyId, mostKeysAtOnce)) {
    const additions = part.map(({ sequence, apiKeyId }) => ({
      sequence,
      counts: { [apiKeyOwnPart(apiKeyId)]: 1 },
    }));
    stored = await addOnce(table, item, additions);
  }
  return toKeyDay(stored, organizationId);
}

/** Each counter is named by a key: with the rest of the expression that makes 3 KB. */
export const mostKeysAtOnce = 50;

/**
 * Reads a day and those before it that are usual for it: any number of parts for each day, to be summed.
 * Eventually consistent, since the counters follow the sends by some seconds anyway.
 */
export async function readKeyDays(
  table: Table,
  organizationId: OrganizationId,
  day: Day,
): Promise<KeyDay[]> {
  const { pk, firstSk, lastSk } = keyDaysOf(organizationId, daysBefore(day, usualDays), day);
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :firstSk AND :lastSk',
      ExpressionAttributeValues: { ':pk': pk, ':firstSk': firstSk, ':lastSk': lastSk },
    },
  );
  const parts: KeyDay[] = [];
  for await (const { Items = [] } of pages) {
    parts.push(...Items.map((item) => toKeyDay(item, organizationId)));
  }
  return parts;
}

const daySchema = z.object({ day: z.string() });
/** Each counter has the name of a key's own part, which is no other attribute's name. */
const counterName = /^[a-z2-7]{16}$/;

function toKeyDay(item: StoredItem, organizationId: OrganizationId): KeyDay {
  const counters = Object.entries(item).flatMap(([name, value]) =>
    counterName.test(name)
      ? [[apiKeyIdOf(organizationId, name), z.int().parse(value)] as const]
      : [],
  );
  return { day: daySchema.parse(item).day, sends: new Map(counters) };
}

export const openKeyDayStore = (table: Table) => ({
  /** Adds each entry once, however often it comes. */
  add: (shardId: string, tally: KeyDayTally) => addKeyDay(table, shardId, tally),
  /** Reads a day and those that are usual for it. */
  read: (organizationId: OrganizationId, day: Day) => readKeyDays(table, organizationId, day),
});
export type KeyDayStore = ReturnType<typeof openKeyDayStore>;
