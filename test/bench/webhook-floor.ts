import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  type GetCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Delivery } from '#shared/deliveries/delivery';
import { createWebhookPoster } from '#shared/deliveries/webhook-poster';
import { deliveryKey } from '#shared/table/delivery-keys';
import { newOrganizationId, newWebhookId } from '#shared/tokens/resource-id';
import { newWebhookSecret, signMessage } from '#shared/webhooks/signature';
import { tableName } from '../../infra/local/environment.ts';
import { serveParent } from './child-service.ts';
import { jsonTemplate } from './json-template.ts';
import { recordedDeliverySchema } from './recorded-delivery.ts';
import { newDelivery, storeDeliveries } from './stored-deliveries.ts';
import { drive } from './throughput.ts';
import { workOff } from './work-off.ts';

const settingsSchema = z.object({ dynamodb: z.string(), recorded: recordedDeliverySchema });
const jobSchema = z.union([
  /** The POSTs of so many deliveries, with the calls to the table around each. */
  z.object({ url: z.string(), inFlight: z.int(), deliveries: z.int() }),
  /** POSTs for so long, and nothing else. */
  z.object({ url: z.string(), inFlight: z.int(), milliseconds: z.int() }),
]);

/** The signed POSTs of deliveries, with the same client; around them the bare calls, or none. */
serveParent(async (settings) => {
  const { dynamodb, recorded } = settingsSchema.parse(settings);
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint: dynamodb,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    }),
  );
  const webhookId = newWebhookId(newOrganizationId());
  const secret = newWebhookSecret();
  const send = createWebhookPoster({ allowLoopbackHttp: true }, 15_000);
  const claim = jsonTemplate<UpdateCommandInput>(recorded.claim, recorded.key);
  const getWebhook = jsonTemplate<GetCommandInput>(recorded.getWebhook, recorded.key);
  const settle = jsonTemplate<UpdateCommandInput>(recorded.settle, recorded.key);

  const post = async (url: string, { messageId, body }: Delivery) => {
    const headers = signMessage(messageId, body, [secret], Date.now());
    const outcome = await send({ url, body, headers });
    if (outcome.kind !== 'answered') throw new Error(`A POST ended in ${outcome.error}`);
  };
  const postBetweenCalls = async (url: string, delivery: Delivery) => {
    const { pk, sk } = deliveryKey(delivery.id);
    await client.send(new GetCommand(getWebhook([pk, sk])));
    await client.send(new UpdateCommand(claim([pk, sk])));
    await post(url, delivery);
    await client.send(new UpdateCommand(settle([pk, sk])));
  };
  return {
    ready: {},
    run: async (job) => {
      const floor = jobSchema.parse(job);
      const { url, inFlight } = floor;
      if ('milliseconds' in floor) return drive(floor, () => post(url, newDelivery(webhookId)));
      const table = { client, name: tableName };
      const deliveries = await storeDeliveries(table, webhookId, floor.deliveries);
      return workOff(deliveries, inFlight, (delivery) => postBetweenCalls(url, delivery));
    },
  };
});
