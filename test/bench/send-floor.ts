import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SESv2Client, SendEmailCommand, type SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import {
  BatchGetCommand,
  type BatchGetCommandInput,
  DynamoDBDocumentClient,
  PutCommand,
  type PutCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { serveParent } from './child.ts';
import { jsonTemplate, recordedSendSchema, recordersKey } from './recorded-calls.ts';
import { drive, drivingSchema } from './rounds.ts';

const settingsSchema = z.object({
  dynamodb: z.string(),
  ses: z.string(),
  send: recordedSendSchema,
});

const identity = {
  region: 'us-east-1',
  credentials: { accessKeyId: recordersKey, secretAccessKey: 'local' },
} as const;

/** The calls of one send, with the same items of the same sizes, and nothing around them. */
serveParent(async (settings) => {
  const { dynamodb, ses, send } = settingsSchema.parse(settings);
  const table = DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint: dynamodb, ...identity }),
  );
  const mail = new SESv2Client({ endpoint: ses, ...identity });
  const { variables } = send;
  const batchGet = jsonTemplate<BatchGetCommandInput>(send.batchGet, variables);
  const claim = jsonTemplate<PutCommandInput>(send.claim, variables);
  const sendEmail = jsonTemplate<SendEmailCommandInput>(send.sendEmail, variables);
  const commit = jsonTemplate<UpdateCommandInput>(send.commit, variables);

  const { Responses = {} } = await table.send(new BatchGetCommand(batchGet(variables)));
  if (Object.values(Responses).flat().length === 0) throw new Error('The floor reads nothing');

  const replay = async () => {
    const values = freshValues(variables);
    await table.send(new BatchGetCommand(batchGet(values)));
    await table.send(new PutCommand(claim(values)));
    await mail.send(new SendEmailCommand(sendEmail(values)));
    await table.send(new UpdateCommand(commit(values)));
  };
  return { ready: {}, run: (job) => drive(drivingSchema.parse(job), replay) };
});

/** New ones of the same lengths, no two the same. */
function freshValues(variables: readonly string[]): string[] {
  const random = `${randomUUID()}${randomUUID()}`;
  return variables.map(({ length }, index) => random.slice(index, index + length));
}
