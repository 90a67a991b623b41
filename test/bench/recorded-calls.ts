import { randomUUID } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { deliveryKey } from '#shared/table/delivery-keys';
import { openTable } from '#shared/table/table-client';
import {
  feedbackIdOf,
  organizationIdSchema,
  ownPartIn,
  type SendId,
  slotIdIn,
} from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { createHandlerLoader, invokeFunction } from '../../infra/local/gateway/functions.ts';
import { startLocalStack } from '../../infra/local/stack.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { putEndpoint, storeDeliveries } from './deliveries.ts';
import { postSend } from './sends.ts';

/** The inputs of the commands that one send gives to the SDK, as JSON. */
export const recordedSendSchema = z.object({
  batchGet: z.string(),
  claim: z.string(),
  sendEmail: z.string(),
  commit: z.string(),
  /** What stands in these inputs and differs from send to send. */
  variables: z.array(z.string()),
});
export type RecordedSend = z.output<typeof recordedSendSchema>;

type Endpoints = Readonly<Record<'AWS_ENDPOINT_URL_DYNAMODB' | 'AWS_ENDPOINT_URL_SESV2', string>>;

/**
 * The recording twin's: DynamoDB Local gives each access key a database. In the measured twin's own, the two twins'
 * organizations would claim one domain. The floors replay the calls here, so what they read exists.
 */
export const recordersKey = 'recorder';
const ownDatabase = { AWS_ACCESS_KEY_ID: recordersKey } as const;

/** Makes one send with an idempotency key to a known contact, and records what it asks of the SDK. */
export async function recordSend(endpoints: Endpoints): Promise<RecordedSend> {
  const dynamodb = await startFaultProxy({ target: endpoints.AWS_ENDPOINT_URL_DYNAMODB });
  const ses = await startFaultProxy({ target: endpoints.AWS_ENDPOINT_URL_SESV2 });
  const env = {
    ...ownDatabase,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ENDPOINT_URL_SESV2: ses.url,
  };
  const { description, stop } = await startLocalStack({ quiet: true, providerEvents: false, env });
  const { baseUrl, apiKey } = description;
  try {
    await postSend(baseUrl, apiKey, {});
    dynamodb.clear();
    ses.clear();
    const key = randomUUID();
    const { sendId, messageId } = await postSend(baseUrl, apiKey, { idempotencyKey: key });
    return toRecordedSend(
      [...dynamodb.requests, ...ses.requests],
      [...partsOf(sendId), key, messageId],
    );
  } finally {
    await stop();
    await Promise.all([dynamodb.stop(), ses.stop()]);
  }
}

/** The parts of the ids and keys of a send that are its own: slot, nonce, and what SES is told. */
const partsOf = (sendId: SendId): string[] => [
  slotIdIn(sendId).slice(-24),
  ownPartIn(sendId),
  ownPartIn(feedbackIdOf(sendId)),
];

function toRecordedSend(
  requests: readonly { readonly operation: string; readonly body: unknown }[],
  variables: readonly string[],
): RecordedSend {
  const operations = requests.map(({ operation }) => operation).join();
  if (operations !== 'BatchGetItem,PutItem,UpdateItem,SendEmail') {
    throw new Error(`The floor does not make the calls of a send: ${operations}`);
  }
  const [batchGet, claim, commit, sendEmail] = requests.map(({ body }) => body);
  return {
    batchGet: JSON.stringify(toDocumentInput(batchGet)),
    claim: JSON.stringify(toDocumentInput(claim)),
    sendEmail: JSON.stringify(sendEmail),
    commit: JSON.stringify(toDocumentInput(commit)),
    variables: [...variables],
  };
}

/** The inputs of the commands that one delivery gives to the SDK, as JSON. */
export const recordedDeliverySchema = z.object({
  claim: z.string(),
  getWebhook: z.string(),
  settle: z.string(),
  /** What these inputs say of the delivery's row. */
  variables: z.array(z.string()),
});
export type RecordedDelivery = z.output<typeof recordedDeliverySchema>;

/** Makes one delivery, and records what it asks of the SDK. */
export async function recordDelivery(
  dynamodbUrl: string,
  receiverUrl: string,
): Promise<RecordedDelivery> {
  const dynamodb = await startFaultProxy({ target: dynamodbUrl });
  const env = { ...ownDatabase, AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url };
  const { description, stop } = await startLocalStack({ quiet: true, providerEvents: false, env });
  try {
    const table = openTable(description.tableName);
    const organizationId = organizationIdSchema.parse(description.organizationId);
    const { id } = await putEndpoint(table, organizationId, receiverUrl);
    const [delivery] = await storeDeliveries(table, id, 1);
    if (delivery === undefined) throw new Error('Nothing was stored');
    dynamodb.clear();
    const event = { Records: [{ messageId: randomUUID(), body: JSON.stringify(delivery) }] };
    await invokeFunction(createHandlerLoader(), 'deliver-webhooks', event);
    return toRecordedDelivery(dynamodb.requests, variablesOf(delivery));
  } finally {
    await stop();
    await dynamodb.stop();
  }
}

/** The row's key and body, as JSON has them. */
export function variablesOf({ id, body }: Delivery): string[] {
  const { pk, sk } = deliveryKey(id);
  return [pk, sk, JSON.stringify(body).slice(1, -1)];
}

function toRecordedDelivery(
  requests: readonly { readonly operation: string; readonly body: unknown }[],
  variables: readonly string[],
): RecordedDelivery {
  const operations = requests.map(({ operation }) => operation).join();
  if (operations !== 'GetItem,UpdateItem,UpdateItem') {
    throw new Error(`The floor does not make the calls of a delivery: ${operations}`);
  }
  const [getWebhook, claim, settle] = requests.map(({ body }) =>
    JSON.stringify(toDocumentInput(body)),
  );
  return recordedDeliverySchema.parse({ claim, getWebhook, settle, variables });
}

/**
 * A JSON text in which some strings stand for what differs from one use to the next.
 *
 * @param variables as they stand in the text; the values given later are in the same order.
 */
export function jsonTemplate<Value>(
  text: string,
  variables: readonly string[],
): (values: readonly string[]) => Value {
  const anyVariable = variables.map(escapePattern).join('|');
  const parts = text.split(new RegExp(`(${anyVariable})`));
  const indexes = parts.map((part) => variables.indexOf(part));
  return (values) =>
    JSON.parse(parts.map((part, place) => values[indexes[place] ?? -1] ?? part).join(''));
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

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
