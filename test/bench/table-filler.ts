import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { idempotencyKey, sendPartition } from '#shared/table/keys';
import {
  feedbackIdOf,
  newSendId,
  organizationIdOf,
  randomBase32,
  sendIdSchema,
} from '#shared/tokens/resource-id';
import { serveParent } from './child-service.ts';
import { jsonTemplate } from './json-template.ts';

const settingsSchema = z.object({
  dynamodb: z.string(),
  tableName: z.string(),
  /** A send that was made with an idempotency key: what is stored are copies of its items. */
  sendId: sendIdSchema,
  messageId: z.string(),
  idempotencyKey: z.string(),
});
type Settings = z.output<typeof settingsSchema>;

const jobSchema = z.object({ sends: z.int().positive(), longestMs: z.number() });

const inParallel = 4;
const sendsABatch = 6;
const rememberedSends = 200;

serveParent(async (message) => {
  const settings = settingsSchema.parse(message);
  const client = new DynamoDBClient({
    endpoint: settings.dynamodb,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const copyItems = await openCopier(client, settings);

  const fill = async ({ sends, longestMs }: z.output<typeof jobSchema>) => {
    const startedAt = performance.now();
    const sendIds: string[] = [];
    let stored = 0;
    const work = async () => {
      while (stored < sends && performance.now() - startedAt < longestMs) {
        const count = Math.min(sends - stored, sendsABatch);
        stored += count;
        const copies = Array.from({ length: count }, copyItems);
        await writeItems(
          client,
          settings.tableName,
          copies.flatMap(({ items }) => items),
        );
        if (sendIds.length < rememberedSends) sendIds.push(...copies.map(({ sendId }) => sendId));
      }
    };
    await Promise.all(Array.from({ length: inParallel }, work));
    return { stored, sendIds };
  };
  return { ready: {}, run: (job) => fill(jobSchema.parse(job)) };
});

type Item = Record<string, AttributeValue>;

/** Reads the items of the send; each call then answers them as those of another send. */
async function openCopier(client: DynamoDBClient, settings: Settings) {
  const { tableName, sendId, messageId } = settings;
  const organizationId = organizationIdOf(sendId);
  const recordKey = idempotencyKey(organizationId, settings.idempotencyKey);
  const [{ Items = [] }, { Item: record }] = await Promise.all([
    client.send(
      new QueryCommand({
        TableName: tableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: marshall({ ':pk': sendPartition(feedbackIdOf(sendId)) }),
      }),
    ),
    client.send(new GetItemCommand({ TableName: tableName, Key: marshall(recordKey) })),
  ]);
  if (record === undefined) throw new Error('The send left no idempotency record');
  const copy = jsonTemplate<Item[]>(JSON.stringify([...Items, record]), [
    ...[sendId, feedbackIdOf(sendId), messageId],
    ...[settings.idempotencyKey, recordKey.pk],
  ]);
  return () => {
    const [copyId, key] = [newSendId(organizationId), randomUUID()];
    const newMessageId = randomBase32(messageId.length);
    const { pk } = idempotencyKey(organizationId, key);
    return { sendId: copyId, items: copy([copyId, feedbackIdOf(copyId), newMessageId, key, pk]) };
  };
}

async function writeItems(client: DynamoDBClient, tableName: string, items: readonly Item[]) {
  const requests = items.map((Item) => ({ PutRequest: { Item } }));
  const { UnprocessedItems = {} } = await client.send(
    new BatchWriteItemCommand({ RequestItems: { [tableName]: requests } }),
  );
  if (Object.keys(UnprocessedItems).length > 0) throw new Error('DynamoDB Local left items out');
}
