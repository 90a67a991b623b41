import * as z from 'zod';
import type { RecordedRequest } from './fault-proxy.ts';

/** Requests to DynamoDB, told apart by what the service does with them. */

const text = z.object({ S: z.string() });
const key = z.object({ sk: text });
const transaction = z.object({
  TransactItems: z.tuple(
    [
      z.object({
        Put: z.object({ Item: key }).optional(),
        Update: z
          .object({ Key: key, ExpressionAttributeValues: z.object({ ':to': text.optional() }) })
          .optional(),
      }),
    ],
    z.unknown(),
  ),
});

const firstItemOf = (body: unknown) => transaction.safeParse(body).data?.TransactItems[0];

/** The first claim of an idempotency key, together with its send. */
export const isClaim = (body: unknown): boolean => firstItemOf(body)?.Put !== undefined;

/** A retry's claim on a send in doubt. */
export const isTakeover = (body: unknown): boolean =>
  firstItemOf(body)?.Update?.Key.sk.S === 'IDEMPOTENCY';

/** The write of a send's outcome. */
export const isSettlement =
  (status: 'sent' | 'failed' | 'suppressed') =>
  (body: unknown): boolean =>
    firstItemOf(body)?.Update?.ExpressionAttributeValues[':to']?.S === status;

const writeOperations = new Set([
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'TransactWriteItems',
  'BatchWriteItem',
]);

export const writesAmong = (requests: readonly RecordedRequest[]): string[] =>
  operationsOf(requests).filter((operation) => writeOperations.has(operation));

export const operationsOf = (requests: readonly RecordedRequest[]): string[] =>
  requests.map(({ operation }) => operation);

const claimedSend = z.object({ sk: z.object({ S: z.literal('SEND') }), id: text });
const puts = z.union([
  z.object({ Item: z.unknown() }).transform(({ Item }) => [Item]),
  z
    .object({
      TransactItems: z.array(z.object({ Put: z.object({ Item: z.unknown() }).optional() })),
    })
    .transform(({ TransactItems }) => TransactItems.map(({ Put }) => Put?.Item)),
]);

/** The ids of the sends that requests tried to claim: a refusal does not tell them to the caller. */
export function claimedSendIds(requests: readonly RecordedRequest[]): string[] {
  const items = requests.flatMap(({ body }) => puts.safeParse(body).data ?? []);
  const ids = items.flatMap((item) => claimedSend.safeParse(item).data?.id.S ?? []);
  return [...new Set(ids)];
}
