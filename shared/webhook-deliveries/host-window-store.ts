import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { hostWindowKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { writeIf } from '#shared/table/writes';

/** A host's rate is averaged over this many seconds, so a burst may be that many times faster. */
export const hostSpanSeconds = 10;

const keptForSeconds = 3_600;

const isWithinRate = 'attribute_not_exists(attempts) OR attempts <= :max';

/** A write whose answer was lost may count twice: better too much than too little. */
export async function countAtHost(
  table: Table,
  host: string,
  span: number,
  amount: number,
  most: number,
): Promise<boolean> {
  const update = new UpdateCommand({
    TableName: table.name,
    Key: hostWindowKey(host, span),
    UpdateExpression: 'SET expiresAt = :expiresAt ADD attempts :amount',
    ConditionExpression: isWithinRate,
    ExpressionAttributeValues: {
      ':expiresAt': span * hostSpanSeconds + keptForSeconds,
      ':amount': amount,
      ':max': most - amount,
    },
  });
  const { written } = await writeIf(() => table.client.send(update));
  return written;
}
