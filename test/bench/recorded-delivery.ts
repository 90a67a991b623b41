import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { deliveryKey } from '#shared/table/delivery-keys';
import { openTable } from '#shared/table/table-client';
import { organizationIdSchema } from '#shared/tokens/resource-id';
import { invokeFunction } from '../../infra/local/gateway/function-invocation.ts';
import { createHandlerLoader } from '../../infra/local/gateway/handler-loader.ts';
import { startLocalStack } from '../../infra/local/stack.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { toDocumentInput } from './document-input.ts';
import { storeDeliveries } from './stored-deliveries.ts';
import { putEndpoint } from './webhook-endpoint.ts';

/** The inputs of the commands that one delivery gives to the SDK, as JSON. */
export const recordedDeliverySchema = z.object({
  claim: z.string(),
  getWebhook: z.string(),
  settle: z.string(),
  /** The key of the delivery's row, as it stands in these inputs. */
  key: z.array(z.string()),
});
export type RecordedDelivery = z.output<typeof recordedDeliverySchema>;

/** Makes one delivery, and records what it asks of the SDK. */
export async function recordDelivery(
  dynamodbUrl: string,
  receiverUrl: string,
): Promise<RecordedDelivery> {
  const dynamodb = await startFaultProxy({ target: dynamodbUrl });
  const env = { AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url };
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
    return toRecordedDelivery(dynamodb.requests, deliveryKey(delivery.id));
  } finally {
    await stop();
    await dynamodb.stop();
  }
}

function toRecordedDelivery(
  requests: readonly { readonly operation: string; readonly body: unknown }[],
  { pk, sk }: ReturnType<typeof deliveryKey>,
): RecordedDelivery {
  const operations = requests.map(({ operation }) => operation).join();
  if (operations !== 'GetItem,UpdateItem,UpdateItem') {
    throw new Error(`The floor does not make the calls of a delivery: ${operations}`);
  }
  const [getWebhook, claim, settle] = requests.map(({ body }) =>
    JSON.stringify(toDocumentInput(body)),
  );
  return recordedDeliverySchema.parse({ claim, getWebhook, settle, key: [pk, sk] });
}
