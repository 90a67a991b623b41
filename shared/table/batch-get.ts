import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { backOff } from '#shared/timing/backoff';
import type { Key } from './keys.ts';
import type { StoredItem, Table } from './table-client.ts';

const maxRounds = 6;
/** DynamoDB's limit. */
const maxKeys = 100;

/**
 * One BatchGetItem for up to 100 keys, several at once for more. Strongly consistent, unless items that may be a moment
 * old are enough: that costs half.
 *
 * @param keys without repetitions.
 * @returns a lookup from key to item, `undefined` where there is none.
 * @throws Error when keys stay unprocessed: an incomplete answer would pass for "not suppressed".
 */
export async function batchGet(
  table: Table,
  keys: readonly Key[],
  { isConsistent = true } = {},
): Promise<(key: Key) => StoredItem | undefined> {
  const found = new Map<string, StoredItem>();
  const starts = Array.from({ length: Math.ceil(keys.length / maxKeys) }, (_, n) => n * maxKeys);
  await Promise.all(
    starts.map((start) => readInto(found, table, keys.slice(start, start + maxKeys), isConsistent)),
  );
  return (key) => found.get(nameOf(key));
}

async function readInto(
  found: Map<string, StoredItem>,
  table: Table,
  keys: readonly Key[],
  isConsistent: boolean,
): Promise<void> {
  let pending: readonly StoredItem[] = keys;
  for (let round = 1; pending.length > 0; round += 1) {
    if (round > maxRounds) throw new Error('BatchGetItem left keys unprocessed');
    if (round > 1) await backOff(round - 1, 20, 400);
    const output = await table.client.send(
      new BatchGetCommand({
        RequestItems: { [table.name]: { Keys: [...pending], ConsistentRead: isConsistent } },
      }),
    );
    for (const item of output.Responses?.[table.name] ?? []) found.set(nameOf(item), item);
    pending = output.UnprocessedKeys?.[table.name]?.Keys ?? [];
  }
}

const nameOf = (key: StoredItem): string => `${key['pk']} ${key['sk']}`;
