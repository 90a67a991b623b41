import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { toSeconds } from './expiry.ts';
import {
  afterDueOf,
  beforeAllDue,
  type DueIndex,
  duePartition,
  dueRange,
  type Key,
} from './keys.ts';
import { tableIndexes } from './table-attributes.ts';
import type { StoredItem, Table } from './table-client.ts';
import { writeIf } from './writes.ts';

// An item is in an index of due items while it has that index's keys: see `dueIndexKeyOf` in `keys.ts`. Sends are in
// `waitingIndex` (`send-keys.ts`), webhook deliveries in `dueDeliveries` (`delivery-keys.ts`).

export type Due<Owner> = { readonly id: string; readonly owner: Owner; readonly dueAt: number };

export type DuePage<Entry> = {
  readonly entries: readonly Entry[];
  /** `undefined` after the last. */
  readonly next: StoredItem | undefined;
};

/** Owners of one shard, each with its first page. */
export type DueOwners<Owner, Entry> = {
  readonly firstPages: readonly { readonly owner: Owner; readonly page: DuePage<Entry> }[];
  /** The owner to continue after; `undefined` at the end. */
  readonly next: Owner | undefined;
};

/** Small, since every owner costs at least one page in every run, due or not. */
const firstPageSize = 10;

const duePageSize = 50;

/** Due items of one kind, and how an item of their index is read. Its owner is in its sort key. */
export type DueList<Owner extends string, Entry extends Due<Owner>> = DueIndex & {
  readonly toEntry: (item: StoredItem, owner: string, dueAt: number) => Entry;
};

/**
 * One request reads a few entries, and the next skips the rest of the last owner. So the number of requests depends
 * on how many owners wait, not on how much they have.
 *
 * @param after the last owner of the page before.
 */
export async function findDueOwners<Owner extends string, Entry extends Due<Owner>>(
  table: Table,
  list: DueList<Owner, Entry>,
  shard: number,
  now: number,
  after: Owner | undefined,
): Promise<DueOwners<Owner, Entry>> {
  const { Items = [], LastEvaluatedKey: more } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: tableIndexes.gsi1.name,
      KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk > :after',
      ExpressionAttributeValues: {
        ':pk': duePartition(list, shard),
        ':after': after === undefined ? beforeAllDue : afterDueOf(after),
      },
      Limit: firstPageSize,
    }),
  );
  const waiting = Items.map((item) => readEntry(list, item));
  const last = waiting.at(-1);
  const byOwner = Map.groupBy(waiting, ({ owner }) => owner);
  const firstPages = [...byOwner].flatMap(([owner, entries]) => {
    const due = entries.filter(({ dueAt }) => dueAt <= now);
    const mayHaveMore = last !== undefined && due.includes(last);
    const page = { entries: due, next: mayHaveMore ? more : undefined };
    return due.length === 0 ? [] : [{ owner, page }];
  });
  return { firstPages, next: more && last?.owner };
}

/** Reads on after the page that ended at `after`. */
export async function findDue<Owner extends string, Entry extends Due<Owner>>(
  table: Table,
  list: DueList<Owner, Entry>,
  shard: number,
  owner: Owner,
  now: number,
  after: StoredItem | undefined,
): Promise<DuePage<Entry>> {
  const { first, last } = dueRange(owner, now);
  // A clock was set back since that page, and DynamoDB refuses to start outside the range.
  if (after !== undefined && z.string().parse(after['gsi1sk']) > last) {
    return { entries: [], next: undefined };
  }
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: tableIndexes.gsi1.name,
      KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk BETWEEN :first AND :last',
      ExpressionAttributeValues: {
        ':pk': duePartition(list, shard),
        ':first': first,
        ':last': last,
      },
      Limit: duePageSize,
      ...(after && { ExclusiveStartKey: after }),
    }),
  );
  return { entries: Items.map((item) => readEntry(list, item)), next: LastEvaluatedKey };
}

function readEntry<Owner extends string, Entry extends Due<Owner>>(
  { toEntry }: DueList<Owner, Entry>,
  item: StoredItem,
): Entry {
  const [owner = '', dueAt] = z.string().parse(item['gsi1sk']).split('#');
  return toEntry(item, owner, Number(dueAt));
}

/** What a run reads with. Simulations of many runs have no table. */
export type DueReader<Owner, Entry> = {
  readonly shards: number;
  readonly findOwners: (
    shard: number,
    now: number,
    after: Owner | undefined,
  ) => Promise<DueOwners<Owner, Entry>>;
  readonly find: (
    shard: number,
    owner: Owner,
    now: number,
    after: StoredItem | undefined,
  ) => Promise<DuePage<Entry>>;
};

const isInIndex = 'begins_with(gsi1pk, :index)';

const hasExpired = '(expiresAt <= :nowInSeconds OR forgottenAt <= :nowInSeconds)';

/**
 * For an item that has expired while it was due: DynamoDB deletes it up to two days later, and until then every run
 * would find it, ever later.
 *
 * @param entry what goes with the item's place in the index.
 */
export async function leaveDueIndex(
  table: Table,
  { name }: Pick<DueIndex, 'name'>,
  key: Key,
  now: number,
  entry = 'gsi1pk, gsi1sk',
): Promise<void> {
  const removal = new UpdateCommand({
    TableName: table.name,
    Key: { pk: key.pk, sk: key.sk },
    UpdateExpression: `REMOVE ${entry}`,
    ConditionExpression: `${isInIndex} AND ${hasExpired}`,
    ExpressionAttributeValues: { ':index': name, ':nowInSeconds': toSeconds(now) },
  });
  await writeIf(() => table.client.send(removal));
}
