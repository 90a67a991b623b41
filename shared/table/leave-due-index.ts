import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { DueIndex } from './due-keys.ts';
import { toSeconds } from './expiry.ts';
import type { Key } from './keys.ts';
import { writeIf } from './single-write.ts';
import type { Table } from './table-client.ts';

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
