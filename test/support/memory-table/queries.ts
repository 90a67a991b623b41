import type {
  AttributeValue,
  QueryCommandInput,
  QueryCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { tableAttributes } from '#shared/table/table-attributes';
import { type ConditionExpression, parseCondition } from './condition-expression.ts';
import { holds } from './conditions.ts';
import { isTableKey } from './item-keys.ts';
import { type KeyRange, rangeOf } from './key-condition.ts';
import { openPlaceholders, type Placeholders } from './placeholders.ts';
import { openProjection, parseProjection } from './projections.ts';
import { refuse } from './refusals.ts';
import {
  comparePlaces,
  type Entry,
  type KeySchema,
  type Place,
  type StoredItems,
  schemaOf,
} from './stored-items.ts';

/** Reads one page of the table or an index. An index is as fresh as the table. */
export function query(items: StoredItems, input: QueryCommandInput): QueryCommandOutput {
  const { IndexName: index, Limit: limit = Number.POSITIVE_INFINITY } = input;
  const schema = schemaOf(index) ?? refuse(`The table does not have the specified index: ${index}`);
  if (index !== undefined && input.ConsistentRead) {
    refuse('Consistent reads are not supported on global secondary indexes');
  }
  if (input.Select !== undefined && input.Select !== 'COUNT') {
    throw new Error(`The memory table knows no Select ${input.Select} of Query`);
  }
  if (limit < 1) refuse('Limit must be greater than or equal to 1');
  const { range, filter, project } = readExpressions(input, schema);

  const isForward = input.ScanIndexForward !== false;
  // Nothing follows the condition's own bound. DynamoDB Local knows that of the table, not of an index.
  const bound = index === undefined ? (isForward ? range.most : range.least) : undefined;
  const start = input.ExclusiveStartKey && startOf(input.ExclusiveStartKey, schema, range);
  if (start && start.sort === bound) refuse(wrongStart);
  const entries = items
    .partition(index, range.partition)
    .filter((entry) => range.includes(entry.sort) && (!start || isAfter(entry, start, isForward)));
  const page = (isForward ? entries : entries.reverse()).slice(0, limit);
  const end = page.length === limit ? page.at(-1) : undefined;
  const last = end?.sort === bound ? undefined : end;
  const found = page.filter(({ item }) => filter(item)).map(({ item }) => project(item));
  return {
    $metadata: {},
    ...(input.Select === undefined && { Items: found }),
    Count: found.length,
    ScannedCount: page.length,
    ...(last && { LastEvaluatedKey: keyAt(last, schema, range) }),
  };
}

function readExpressions(input: QueryCommandInput, schema: KeySchema) {
  const { KeyConditionExpression: keys = refuse('A query needs a key condition') } = input;
  const key = parseCondition(keys);
  const text = input.FilterExpression;
  const filter = text === undefined ? undefined : parseCondition(text);
  const projected = input.ProjectionExpression;
  const projection = projected === undefined ? undefined : parseProjection(projected);
  if (projection && input.IndexName !== undefined) {
    throw new Error('The memory table knows no projection of an index');
  }
  const mentions = [key, filter, projection].flatMap((part) => part?.mentions ?? []);
  const placeholders = openPlaceholders(input, mentions);
  if (filter) checkFilter(filter, placeholders, schema, input.IndexName !== undefined);
  return {
    range: rangeOf(key.condition, schema, placeholders),
    filter: (item: Entry['item']) =>
      filter === undefined || holds(filter.condition, { item, placeholders }),
    project:
      projection === undefined
        ? (item: Entry['item']) => ({ ...item })
        : openProjection(projection.paths, placeholders),
  };
}

function checkFilter(
  { condition, mentions }: ConditionExpression,
  placeholders: Placeholders,
  schema: KeySchema,
  isIndex: boolean,
): void {
  for (const path of mentions.paths) {
    const [attribute] = placeholders.pathOf(path);
    if (attribute === schema.partitionKey || attribute === schema.sortKey) {
      refuse('Filter Expression can only contain non-primary key attributes');
    }
    if (isIndex && !isTableKey(attribute)) refuse(`The index does not project ${attribute}`);
  }
  // A malformed filter is refused even where there is nothing to filter.
  holds(condition, { item: {}, placeholders });
}

type Key = Record<string, AttributeValue>;

const { partitionKey: pk, sortKey: sk } = tableAttributes;

function keyAt(entry: Entry, schema: KeySchema, { partition }: KeyRange): Key {
  return {
    [pk]: { S: entry.pk },
    [sk]: { S: entry.sk },
    [schema.partitionKey]: { S: partition },
    [schema.sortKey]: { S: entry.sort },
  };
}

const isAfter = (entry: Entry, start: Place, isForward: boolean): boolean =>
  isForward ? comparePlaces(entry, start) > 0 : comparePlaces(entry, start) < 0;

const wrongStart = 'The provided starting key does not match the range key predicate';

/** The place after which a page starts. There need not be an entry any more. */
function startOf(key: Key, schema: KeySchema, range: KeyRange): Place {
  const names = new Set([pk, sk, schema.partitionKey, schema.sortKey]);
  const isWhole = Object.keys(key).length === names.size;
  const start = { pk: key[pk]?.S, sk: key[sk]?.S, sort: key[schema.sortKey]?.S };
  const { pk: partition, sk: sortKey, sort } = start;
  if (!isWhole || partition === undefined || sortKey === undefined || sort === undefined) {
    return refuse('The provided starting key is invalid');
  }
  if (key[schema.partitionKey]?.S !== range.partition || !range.includes(sort)) {
    return refuse(wrongStart);
  }
  return { pk: partition, sk: sortKey, sort };
}
