import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  type GetCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { newOrganizationId, newWebhookId } from '#shared/tokens/resource-id';
import type { Delivery } from '#shared/webhook-deliveries/delivery';
import { createWebhookPoster } from '#shared/webhook-deliveries/webhook-poster';
import { newWebhookSecret, signMessage } from '#shared/webhooks/signature';
import { tableName } from '../../infra/local/environment.ts';
import { serveParent } from './child.ts';
import { storeDeliveries } from './deliveries.ts';
import {
  jsonTemplate,
  recordedDeliverySchema,
  recordersKey,
  variablesOf,
} from './recorded-calls.ts';
import { workOff } from './rounds.ts';

const settingsSchema = z.object({
  dynamodb: z.string(),
  recorded: recordedDeliverySchema,
});
const jobSchema = z.object({ url: z.string(), inFlight: z.int(), deliveries: z.int() });

/** The signed POSTs of deliveries, by the same client, and the bare SDK calls around them. */
serveParent(async (settings) => {
  const { dynamodb, recorded } = settingsSchema.parse(settings);
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      endpoint: dynamodb,
      region: 'us-east-1',
      credentials: { accessKeyId: recordersKey, secretAccessKey: 'local' },
    }),
  );
  const webhookId = newWebhookId(newOrganizationId());
  const secret = newWebhookSecret();
  const send = createWebhookPoster({ allowLoopbackHttp: true }, 15_000);
  const claim = jsonTemplate<UpdateCommandInput>(recorded.claim, recorded.variables);
  const getWebhook = jsonTemplate<GetCommandInput>(recorded.getWebhook, recorded.variables);
  const settle = jsonTemplate<UpdateCommandInput>(recorded.settle, recorded.variables);

  const post = async (url: string, { messageId, body }: Delivery) => {
    const headers = signMessage(messageId, body, [secret], Date.now());
    const outcome = await send({ url, body, headers });
    if (outcome.kind !== 'answered') throw new Error(`A POST ended in ${outcome.error}`);
  };
  const postBetweenCalls = async (url: string, delivery: Delivery) => {
    const values = variablesOf(delivery);
    await client.send(new GetCommand(getWebhook(values)));
    await client.send(new UpdateCommand(claim(values)));
    await post(url, delivery);
    await client.send(new UpdateCommand(settle(values)));
  };
  return {
    ready: {},
    run: async (job) => {
      const { url, inFlight, deliveries: count } = jobSchema.parse(job);
      const table = { client, name: tableName };
      return workOff(await storeDeliveries(table, webhookId, count), inFlight, (delivery) =>
        postBetweenCalls(url, delivery),
      );
    },
  };
});
