import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { toSeconds } from '#shared/table/expiry';
import { keyDayKey, keyDaysOf } from '#shared/table/keys';
import { getItem } from '#shared/table/reads';
import type { StoredItem, Table } from '#shared/table/table-client';
import { type Day, daysBefore } from '#shared/timing/day';
import {
  type ApiKeyId,
  apiKeyIdOf,
  apiKeyOwnPart,
  type OrganizationId,
} from '#shared/tokens/resource-id';
import { countOnce, partsOf } from './counter-store.ts';
import { usualDays } from './day.ts';
import type { KeyDayTally } from './usage-tally.ts';

/** Recipients per key, as one shard counts them. */
export type KeyDay = { readonly day: Day; readonly recipients: ReadonlyMap<ApiKeyId, number> };

const keptMs = (usualDays + 10) * 86_400_000;

/**
 * Adds one shard's changes, each once, however often it comes. Keys beyond `maxKeysWatched` are counted together.
 *
 * @returns the shard's count of that day so far.
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
  const counterOf = counterNames((await getItem(table, item.key)) ?? {});
  const named = entries.map(({ sequence, apiKeyId, recipients }) => ({
    sequence,
    recipients,
    counter: counterOf(apiKeyId),
  }));
  let stored: StoredItem = { day };
  // One after another: the mark in the item says that everything before it is counted.
  for (const part of partsOf(named, ({ counter }) => counter, maxKeysAtOnce)) {
    const additions = part.map(({ sequence, counter, recipients }) => ({
      sequence,
      counts: { [counter]: recipients },
    }));
    stored = await countOnce(table, item, additions);
  }
  return toKeyDay(stored, organizationId);
}

/**
 * The day and those that define its usual: any number of parts for each, to be summed. Eventually consistent, since
 * the counters lag the sends by some seconds anyway.
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

/** Each counter is named after a key: with the rest of the expression that makes 3 KB. */
export const maxKeysAtOnce = 50;

/**
 * The first keys that send get their own counters in an item, which stays below 16 KB. At 22,700 keys, it would exceed
 * DynamoDB's limit.
 */
export const maxKeysWatched = 500;

/** For all further keys together. Nothing reads it. */
const othersCounter = 'others';

/** By key, given the counters that the item has. Only this shard's invocation adds to the item. */
function counterNames(stored: StoredItem): (apiKeyId: ApiKeyId) => string {
  const watched = new Set(Object.keys(stored).filter((name) => counterName.test(name)));
  return (apiKeyId) => {
    const own = apiKeyOwnPart(apiKeyId);
    if (watched.size < maxKeysWatched) watched.add(own);
    return watched.has(own) ? own : othersCounter;
  };
}

const daySchema = z.object({ day: z.string() });

/** A key's own part, which is no other attribute's name. */
const counterName = /^[a-z2-7]{16}$/;

function toKeyDay(item: StoredItem, organizationId: OrganizationId): KeyDay {
  const counters = Object.entries(item).flatMap(([name, value]) =>
    counterName.test(name)
      ? [[apiKeyIdOf(organizationId, name), z.int().parse(value)] as const]
      : [],
  );
  return { day: daySchema.parse(item).day, recipients: new Map(counters) };
}
