import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { tableAttributes } from '#shared/table/table-attributes';
import type { Attributes } from './item-size.ts';

/** One item that a call is about to write. */
export type PlannedWrite = {
  readonly tableName: string;
  readonly key: Attributes;
  /** The whole item, when it is a put. */
  readonly attempted: Attributes | undefined;
};

const attributes = z.record(z.string(), z.custom<AttributeValue>());
const put = z.object({ TableName: z.string(), Item: attributes });
const keyed = z.object({ TableName: z.string(), Key: attributes });
const transaction = z.object({
  TransactItems: z.array(
    z.object({
      Put: put.optional(),
      Update: keyed.optional(),
      Delete: keyed.optional(),
      ConditionCheck: keyed.optional(),
    }),
  ),
});

/** The items that a call to DynamoDB writes, or checks in a transaction, which costs the same. */
export function writesOf(operation: string, body: unknown): PlannedWrite[] {
  switch (operation) {
    case 'PutItem':
      return [plannedPut(put.parse(body))];
    case 'UpdateItem':
    case 'DeleteItem':
      return [plannedChange(keyed.parse(body))];
    case 'TransactWriteItems':
      return transaction
        .parse(body)
        .TransactItems.flatMap(({ Put, Update, Delete, ConditionCheck }) => [
          ...(Put ? [plannedPut(Put)] : []),
          ...[Update, Delete, ConditionCheck].flatMap((item) =>
            item ? [plannedChange(item)] : [],
          ),
        ]);
    default:
      return [];
  }
}

const plannedChange = ({ TableName, Key }: z.output<typeof keyed>): PlannedWrite => ({
  tableName: TableName,
  key: Key,
  attempted: undefined,
});

function plannedPut({ TableName, Item }: z.output<typeof put>): PlannedWrite {
  const keyNames: string[] = [tableAttributes.partitionKey, tableAttributes.sortKey];
  const key = Object.fromEntries(Object.entries(Item).filter(([name]) => keyNames.includes(name)));
  return { tableName: TableName, key, attempted: Item };
}
