import type {
  AttributeValue,
  BatchGetItemCommandInput,
  BatchGetItemCommandOutput,
  GetItemCommandInput,
  GetItemCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { readableKey } from './item-keys.ts';
import { refuse } from './refusals.ts';
import type { StoredItems } from './stored-items.ts';

export function getItem(items: StoredItems, input: GetItemCommandInput): GetItemCommandOutput {
  const item = items.get(readableKey(input.Key));
  return { $metadata: {}, ...(item && { Item: { ...item } }) };
}

const maxKeys = 100;

export function batchGetItem(
  items: StoredItems,
  input: BatchGetItemCommandInput,
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
    const found = keys.map((key) => items.get(key)).filter((item) => item !== undefined);
    Responses[name] = found.map((item) => ({ ...item }));
  }
  if (Object.keys(Responses).length === 0) refuse('BatchGetItem must have some requests set');
  return { $metadata: {}, Responses, UnprocessedKeys: {} };
}
