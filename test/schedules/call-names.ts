import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Key } from '#shared/table/keys';
import type { TableCall } from '../support/memory-table/table-call.ts';

type Attributes = Readonly<Record<string, AttributeValue>>;

/** What a call writes, and the item where that is certain. A transaction may repeat an earlier one. */
export type ItemWrite = { readonly key: Key; readonly item: Attributes | undefined };

export function writesOf(call: TableCall): ItemWrite[] {
  switch (call.operation) {
    case 'PutItem':
      return [writeOf(call.input.Item, call.input.Item)];
    case 'UpdateItem':
    case 'DeleteItem':
      return [writeOf(call.input.Key)];
    case 'TransactWriteItems':
      // Conditions on items that aren't written don't count.
      return (call.input.TransactItems ?? []).flatMap(({ Put, Update, Delete }) => {
        const key = Put?.Item ?? Update?.Key ?? Delete?.Key;
        return key === undefined ? [] : [writeOf(key)];
      });
    default:
      return [];
  }
}

const writeOf = (key: Attributes | undefined, item?: Attributes): ItemWrite => ({
  key: { pk: key?.['pk']?.S ?? '', sk: key?.['sk']?.S ?? '' },
  item,
});

/** A call as the trace and scripts name it, without ids: `UpdateItem SEND`. */
export function nameOfCall(call: TableCall): string {
  const writes = call.operation === 'GetItem' ? [writeOf(call.input.Key)] : writesOf(call);
  return [call.operation, ...writes.map(({ key }) => kindOf(key))].join(' ');
}

/** The kind of item under a key. Only events are distinguished further, by their type. */
export function kindOf({ sk }: Key): string {
  const [kind = '', type] = sk.split('#');
  return kind === 'EVENT' ? `${kind}#${type}` : kind;
}
