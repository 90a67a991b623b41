import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';

const attributes = z.record(z.string(), z.custom<AttributeValue>());
const holders = new Set(['Item', 'Key', 'ExpressionAttributeValues']);

/** The input of a document client's command, from the body that it put on the wire. */
export function toDocumentInput(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(toDocumentInput);
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, toDocumentValue(name, value)]),
  );
}

function toDocumentValue(name: string, value: unknown): unknown {
  if (holders.has(name)) return unmarshall(attributes.parse(value));
  if (name === 'Keys')
    return z
      .array(attributes)
      .parse(value)
      .map((key) => unmarshall(key));
  return toDocumentInput(value);
}
