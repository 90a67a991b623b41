import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { tableAttributes, tableIndexes } from '#shared/table/table-attributes';
import { type Item, toStoredItem } from './item-values.ts';
import { refuse } from './refusals.ts';
import type { ItemKey } from './stored-items.ts';

/** What DynamoDB wants of the keys of the table and its indexes, which are texts. */

const tableKeys: readonly string[] = [tableAttributes.partitionKey, tableAttributes.sortKey];

const indexKeys = Object.values(tableIndexes).flatMap((index) => [
  index.partitionKey,
  index.sortKey,
]);

export const isTableKey = (attribute: string | number | undefined): boolean =>
  tableKeys.some((name) => name === attribute);

/** @throws DynamoDBServiceException when it is not the two attributes of the table's key. */
export function wholeKey(key: Readonly<Record<string, AttributeValue>> | undefined): Item {
  if (key === undefined || Object.keys(key).length !== tableKeys.length) {
    return refuse('The number of conditions on the keys is invalid');
  }
  return toStoredItem(key);
}

/**
 * @returns nothing when an attribute of the key is a number or bytes.
 * @throws DynamoDBServiceException when one is missing, empty or not of one value.
 */
export function keyOf(item: Item): ItemKey | undefined {
  const { [tableAttributes.partitionKey]: pk, [tableAttributes.sortKey]: sk } = item;
  if (pk === undefined || sk === undefined) {
    return refuse('One of the required keys was not given a value');
  }
  const [partition, sort] = [textOf(pk), textOf(sk)];
  return partition === undefined || sort === undefined ? undefined : { pk: partition, sk: sort };
}

function textOf(value: AttributeValue): string | undefined {
  if (value.S === '') refuse('A key attribute cannot contain an empty string value');
  const isOneValue = value.S !== undefined || value.N !== undefined || value.B !== undefined;
  return isOneValue ? value.S : refuse('Invalid attribute value type');
}

export const wrongKeyType = 'One or more parameter values were invalid: Type mismatch for key';

/** @throws DynamoDBServiceException when the key is not whole, not text or empty. */
export const readableKey = (key: Readonly<Record<string, AttributeValue>> | undefined): ItemKey =>
  keyOf(wholeKey(key)) ?? refuse(wrongKeyType);

export const wrongIndexKeyType =
  'One or more parameter values were invalid: Type mismatch for Index Key';

/**
 * Whether each key of an index that the item has is a text.
 *
 * @throws DynamoDBServiceException when one is empty or not of one value.
 */
export const hasIndexableKeys = (item: Item): boolean =>
  indexKeys.flatMap((name) => item[name] ?? []).every((value) => textOf(value) !== undefined);
