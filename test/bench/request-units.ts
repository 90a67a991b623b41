import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { tableAttributes, tableIndexes } from '#shared/table/table-attributes';

export type Attributes = Readonly<Record<string, AttributeValue>>;

/**
 * The bytes that DynamoDB bills an item by: attribute names and values.
 *
 * Source: DynamoDB developer guide, "DynamoDB item sizes and formats".
 */
export const itemSize = (item: Attributes): number =>
  sum(Object.entries(item).map(([name, value]) => textSize(name) + valueSize(value)));

function valueSize(value: AttributeValue): number {
  if (value.S !== undefined) return textSize(value.S);
  if (value.N !== undefined) return numberSize(value.N);
  if (value.B !== undefined) return value.B.byteLength;
  if (value.SS !== undefined) return sum(value.SS.map(textSize));
  if (value.NS !== undefined) return sum(value.NS.map(numberSize));
  if (value.BS !== undefined) return sum(value.BS.map(({ byteLength }) => byteLength));
  if (value.M !== undefined) return 3 + Object.keys(value.M).length + itemSize(value.M);
  if (value.L !== undefined) return 3 + value.L.length + sum(value.L.map(valueSize));
  return 1; // BOOL and NULL
}

const textSize = (text: string): number => Buffer.byteLength(text);

/** One byte per two significant digits and one more; the guide calls it approximate. */
function numberSize(text: string): number {
  const digits = text.replace(/e.*$/i, '').replace(/[-+.]/g, '');
  const significant = digits.replace(/^0+/, '').replace(/0+$/, '');
  const sign = text.startsWith('-') ? 1 : 0;
  return Math.ceil(significant.length / 2) + 1 + sign;
}

/** One item that a call wrote, or would have written had its condition held. */
export type Write = {
  readonly before: Attributes | undefined;
  readonly after: Attributes | undefined;
  /** The item of a put, which counts also when its condition failed. */
  readonly attempted?: Attributes | undefined;
};

/**
 * The write units of one item: one per started KB of the larger of before and after, twice that in a
 * transaction, and one per started KB of each index entry put or deleted. An index entry costs the
 * same inside a transaction. A failed condition is billed like a write that changed nothing.
 *
 * Source: DynamoDB developer guide, "DynamoDB read and write operations" and "Managing global
 * secondary indexes". That a transaction doubles the table's part alone is not written there; it was
 * measured on AWS (github.com/nubo-db/dynoxide, pull request 188).
 */
export function writeUnitsOf(write: Write, { isTransactional }: { isTransactional: boolean }) {
  const { before, after, attempted } = write;
  const sizes = [before, after, attempted].map((item) => (item === undefined ? 0 : itemSize(item)));
  const tableUnits = unitsOf(Math.max(...sizes), 1_024);
  const indexUnits = Object.values(tableIndexes).map((index) => indexUnitsOf(write, index));
  return tableUnits * (isTransactional ? 2 : 1) + sum(indexUnits);
}

type Index = (typeof tableIndexes)[keyof typeof tableIndexes];

/** An entry changes with its keys, which is two writes, or with what its index projects, which is one. */
function indexUnitsOf({ before, after }: Write, index: Index): number {
  const [entryBefore, entryAfter] = [before, after].map((item) => entryOf(item, index));
  if (isDeepStrictEqual(entryBefore, entryAfter)) return 0;
  const units = [entryBefore, entryAfter].map((entry) =>
    entry === undefined ? 0 : unitsOf(itemSize(entry), 1_024),
  );
  const { partitionKey, sortKey } = index;
  const isSamePlace = [partitionKey, sortKey].every((name) =>
    isDeepStrictEqual(entryBefore?.[name], entryAfter?.[name]),
  );
  return isSamePlace ? Math.max(...units) : sum(units);
}

function entryOf(item: Attributes | undefined, index: Index): Attributes | undefined {
  const isIndexed = item?.[index.partitionKey] !== undefined && item[index.sortKey] !== undefined;
  if (!isIndexed) return undefined;
  const projected: string[] = [
    tableAttributes.partitionKey,
    tableAttributes.sortKey,
    index.partitionKey,
    index.sortKey,
    ...index.projected,
  ];
  return Object.fromEntries(Object.entries(item).filter(([name]) => projected.includes(name)));
}

/**
 * The bytes that an item and its index entries are billed as storage: each has 100 bytes beside its own
 * (DynamoDB developer guide, "Managing global secondary indexes").
 */
export function storedSizeOf(item: Attributes | undefined): number {
  const entries = Object.values(tableIndexes).map((index) => entryOf(item, index));
  return sum([item, ...entries].map((one) => (one === undefined ? 0 : itemSize(one) + 100)));
}

/** The read units of items read one by one (GetItem, BatchGetItem); a missing one costs as well. */
export const readUnitsOfItems = (
  items: readonly (Attributes | undefined)[],
  isConsistent: boolean,
): number => perConsistency(sum(items.map((item) => unitsOf(sizeOf(item), 4_096))), isConsistent);

/** The read units of a Query: of all it read together. */
export const readUnitsOfQuery = (items: readonly Attributes[], isConsistent: boolean): number =>
  perConsistency(unitsOf(sum(items.map(itemSize)), 4_096), isConsistent);

const perConsistency = (units: number, isConsistent: boolean): number =>
  isConsistent ? units : units / 2;

const sizeOf = (item: Attributes | undefined): number => (item === undefined ? 0 : itemSize(item));

/** Units are whole, and nothing is free. */
const unitsOf = (bytes: number, bytesPerUnit: number): number =>
  Math.max(1, Math.ceil(bytes / bytesPerUnit));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
