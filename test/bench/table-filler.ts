import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod';
import { sendKey } from '#shared/table/send-keys';
import { randomBase32 } from '#shared/tokens/base32';
import {
  organizationIdOf,
  ownPartIn,
  type SendId,
  sendIdSchema,
  slotIdIn,
} from '#shared/tokens/resource-id';
import { newSendId } from '../support/send-builder.ts';
import { serveParent } from './child-service.ts';
import { jsonTemplate } from './json-template.ts';

const settingsSchema = z.object({
  dynamodb: z.string(),
  tableName: z.string(),
  /** A send that was made with an idempotency key: what is stored are copies of its item. */
  sendId: sendIdSchema,
  messageId: z.string(),
  idempotencyKey: z.string(),
});
type Settings = z.output<typeof settingsSchema>;

const jobSchema = z.object({ sends: z.int().positive(), longestMs: z.number() });

const inParallel = 4;
/** BatchWriteItem takes so many. */
const sendsABatch = 25;
const rememberedSends = 200;

serveParent(async (message) => {
  const settings = settingsSchema.parse(message);
  const client = new DynamoDBClient({
    endpoint: settings.dynamodb,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const copySend = await openCopier(client, settings);

  const fill = async ({ sends, longestMs }: z.output<typeof jobSchema>) => {
    const startedAt = performance.now();
    const sendIds: string[] = [];
    let stored = 0;
    const work = async () => {
      while (stored < sends && performance.now() - startedAt < longestMs) {
        const count = Math.min(sends - stored, sendsABatch);
        stored += count;
        const copies = Array.from({ length: count }, copySend);
        await writeItems(
          client,
          settings.tableName,
          copies.map(({ item }) => item),
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

/** Reads the item of the send; each call then answers it as that of another send. */
async function openCopier(client: DynamoDBClient, settings: Settings) {
  const { tableName, sendId, messageId, idempotencyKey } = settings;
  const { Item } = await client.send(
    new GetItemCommand({ TableName: tableName, Key: marshall(sendKey(slotIdIn(sendId))) }),
  );
  if (Item === undefined) throw new Error('The send is not there');
  const copy = jsonTemplate<Item>(JSON.stringify(Item), [
    ...partsOf(sendId),
    messageId,
    idempotencyKey,
  ]);
  return () => {
    const copyId = newSendId(organizationIdOf(sendId));
    const newMessageId = randomBase32(messageId.length);
    return { sendId: copyId, item: copy([...partsOf(copyId), newMessageId, randomUUID()]) };
  };
}

/** The parts of a send id that its item is made of. */
const partsOf = (sendId: SendId): string[] => [slotIdIn(sendId).slice(-24), ownPartIn(sendId)];

async function writeItems(client: DynamoDBClient, tableName: string, items: readonly Item[]) {
  const requests = items.map((Item) => ({ PutRequest: { Item } }));
  const { UnprocessedItems = {} } = await client.send(
    new BatchWriteItemCommand({ RequestItems: { [tableName]: requests } }),
  );
  if (Object.keys(UnprocessedItems).length > 0) throw new Error('DynamoDB Local left items out');
}
