import type {
  AttributeValue,
  BatchGetItemCommandInput,
  BatchGetItemCommandOutput,
  GetItemCommandInput,
  GetItemCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { readableKey } from './item-keys.ts';
import { openPlaceholders } from './placeholders.ts';
import { openProjection, parseProjection } from './projections.ts';
import { refuse } from './refusals.ts';
import type { ItemKey, StoredItems } from './stored-items.ts';

/** Asked for each item that is read eventually consistently: whether the read misses its latest write. */
export type IsStale = () => boolean;

const read = (
  items: StoredItems,
  key: ItemKey,
  isConsistent: boolean | undefined,
  isStale: IsStale,
) => (!isConsistent && isStale() ? items.getBefore(key) : items.get(key));

export function getItem(
  items: StoredItems,
  input: GetItemCommandInput,
  isStale: IsStale,
): GetItemCommandOutput {
  const project = projectionOf(input);
  const item = read(items, readableKey(input.Key), input.ConsistentRead, isStale);
  return { $metadata: {}, ...(item && { Item: project(item) }) };
}

function projectionOf(input: GetItemCommandInput) {
  const text = input.ProjectionExpression;
  const projection = text === undefined ? undefined : parseProjection(text);
  const placeholders = openPlaceholders(input, projection ? [projection.mentions] : []);
  return projection === undefined
    ? (item: Record<string, AttributeValue>) => ({ ...item })
    : openProjection(projection.paths, placeholders);
}

const maxKeys = 100;

export function batchGetItem(
  items: StoredItems,
  input: BatchGetItemCommandInput,
  isStale: IsStale,
): BatchGetItemCommandOutput {
  const Responses: Record<string, Record<string, AttributeValue>[]> = {};
  for (const [name, { Keys = [], ...more }] of Object.entries(input.RequestItems ?? {})) {
    const isKnown = Object.keys(more).every((member) => member === 'ConsistentRead');
    if (!isKnown) throw new Error('The memory table reads whole items in a batch');
    if (Keys.length === 0) refuse('The list of keys of a BatchGetItem must not be empty');
    if (Keys.length > maxKeys) refuse('Too many items requested for the BatchGetItem call');
    const keys = Keys.map(readableKey);
    const isDistinct =
      new Set(keys.map(({ pk, sk }) => JSON.stringify([pk, sk]))).size === keys.length;
    if (!isDistinct) refuse('Provided list of item keys contains duplicates');
    const found = keys
      .map((key) => read(items, key, more.ConsistentRead, isStale))
      .filter((item) => item !== undefined);
    Responses[name] = found.map((item) => ({ ...item }));
  }
  if (Object.keys(Responses).length === 0) refuse('BatchGetItem must have some requests set');
  return { $metadata: {}, Responses, UnprocessedKeys: {} };
}
