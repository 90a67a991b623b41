import * as z from 'zod';
import { slotIdAt } from '#shared/table/send-keys';
import { type SendId, sendIdOf } from '#shared/tokens/resource-id';
import type { RecordedRequest } from './fault-proxy.ts';

/** Requests to DynamoDB, told apart by what the service does with them. */

const text = z.object({ S: z.string() });
const sendPut = z.object({
  Item: z.object({
    pk: text,
    sk: z.object({ S: z.literal('SEND') }),
    nonce: text,
    attempt: z.object({ N: z.string() }),
  }),
});
const sendUpdate = z.object({
  Key: z.object({ sk: z.object({ S: z.literal('SEND') }) }),
  UpdateExpression: z.string(),
  ConditionExpression: z.string(),
  ExpressionAttributeNames: z.record(z.string(), z.string()).default({}),
});
const transaction = z.object({
  TransactItems: z.tuple([z.object({ Update: sendUpdate })], z.unknown()),
});

const attemptOf = (body: unknown) => sendPut.safeParse(body).data?.Item.attempt.N;

/** The change of a send, alone or as the first of a transaction. */
const changeOf = (body: unknown) =>
  sendUpdate.safeParse(body).data ?? transaction.safeParse(body).data?.TransactItems[0].Update;

const isCommit = (body: unknown): boolean =>
  changeOf(body)?.UpdateExpression.startsWith('SET #status = :status, #providerMessageId') ?? false;

/** A request's first claim of its slot, whether it is free or not. */
export const claim = {
  operation: 'PutItem',
  matches: (body: unknown): boolean => attemptOf(body) === '1',
} as const;

/** The next attempt of a send that stands in the slot. */
export const nextAttempt = {
  operation: 'PutItem',
  matches: (body: unknown): boolean => {
    const attempt = attemptOf(body);
    return attempt !== undefined && attempt !== '1';
  },
} as const;

/** The write of an acceptance that no webhook endpoint hears of. */
export const commit = { operation: 'UpdateItem', matches: isCommit } as const;

/** The write of an acceptance with its deliveries. */
export const commitWithOutbox = { operation: 'TransactWriteItems', matches: isCommit } as const;

/** A rejection by SES, which comes later, asks for no attempt. */
const isFailure = (body: unknown): boolean => {
  const change = changeOf(body);
  const addsFailure = change?.UpdateExpression.includes('#attempts = list_append(') ?? false;
  return addsFailure && Object.values(change?.ExpressionAttributeNames ?? {}).includes('attempt');
};

/** An attempt's word that it sent nothing, which no webhook endpoint hears of. */
export const failure = { operation: 'UpdateItem', matches: isFailure } as const;

/** The same with its deliveries. */
export const failureWithOutbox = { operation: 'TransactWriteItems', matches: isFailure } as const;

/** The note that an API key was used, or a session of it. */
export const isNoteOfKeyUse = (body: unknown): boolean =>
  z
    .object({
      UpdateExpression: z.enum([
        'SET lastUsedAt = :now',
        'SET lastUsedAt = :now, sessionsUsedAt = :after',
      ]),
    })
    .safeParse(body).success;

/** The change of who is signed in to the console by a key. */
export const isSignIn = (body: unknown): boolean =>
  z.object({ UpdateExpression: z.literal('SET signIns = :after') }).safeParse(body).success;

/** An entry of the audit that has no transaction around it. */
export const isAuditEntry = (body: unknown): boolean => auditPut.safeParse(body).success;

const auditPut = z.object({
  Item: z.object({ pk: z.object({ S: z.string().check(z.regex(/#AUDIT$/)) }) }),
});

export const noteOfKeyUse = { operation: 'UpdateItem', matches: isNoteOfKeyUse } as const;

const writeOperations = new Set([
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'TransactWriteItems',
  'BatchWriteItem',
]);

/** Without the note that a request was refused, which changes nothing that a send knows of. */
export const writesAmong = (requests: readonly RecordedRequest[]): string[] =>
  operationsOf(requests.filter(({ body }) => !isNoteOfRefusals(body))).filter((operation) =>
    writeOperations.has(operation),
  );

export const operationsOf = (requests: readonly RecordedRequest[]): string[] =>
  requests.map(({ operation }) => operation);

/** The ids of the sends that requests tried to claim: a refusal does not tell them to the caller. */
export function claimedSendIds(requests: readonly RecordedRequest[]): SendId[] {
  const puts = requests.flatMap(({ body }) => sendPut.safeParse(body).data?.Item ?? []);
  return [...new Set(puts.map(({ pk, nonce }) => sendIdOf(slotIdAt(pk.S), nonce.S)))];
}

const countInDay = z.object({
  Key: z.object({
    pk: z.object({ S: z.string().endsWith('#RATE') }),
    sk: z.object({ S: z.string().regex(/^(?:CHANGES|DELIVERIES|LINKS)#/) }),
  }),
});

/** A change, or what has a day's limit of its own, counted in its organization's day. */
export const isCountInDay = (body: unknown): boolean => countInDay.safeParse(body).success;

/** The note of requests that were refused. */
export const isNoteOfRefusals = (body: unknown): boolean => refusalNote.safeParse(body).success;

const refusalNote = z.object({
  Key: z.object({ pk: z.object({ S: z.string().endsWith('#REFUSALS') }) }),
});

/** Whether a request stores an entry of the audit, alone or beside what it is about. */
export const storesAuditEntry = ({ operation, body }: RecordedRequest): boolean =>
  ['PutItem', 'TransactWriteItems'].includes(operation) &&
  auditPartition.test(JSON.stringify(body));

const auditPartition = /"pk":\{"S":"ORG#[^"#]+#AUDIT"\}/;
