import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  QueueDoesNotExist,
  SQSClient,
} from '@aws-sdk/client-sqs';

export type QueueSettings = {
  readonly visibilityTimeoutSeconds: number;
  readonly maxReceiveCount: number;
};

/** Creates a queue and its dead letters, as the stack has them, unless they exist; answers its address. */
export async function createQueue(
  endpoint: string,
  name: string,
  { visibilityTimeoutSeconds, maxReceiveCount }: QueueSettings,
): Promise<string> {
  const client = new SQSClient({ endpoint });
  try {
    const deadLetters = await ensureQueue(client, deadLettersOf(name), {});
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: deadLetters, AttributeNames: ['QueueArn'] }),
    );
    const redrivePolicy = { deadLetterTargetArn: Attributes?.['QueueArn'], maxReceiveCount };
    const queueUrl = await ensureQueue(client, name, {
      VisibilityTimeout: `${visibilityTimeoutSeconds}`,
      RedrivePolicy: JSON.stringify(redrivePolicy),
    });
    // fauxqs names a host that resolves only where `*.localhost` does.
    return new URL(new URL(queueUrl).pathname, endpoint).href;
  } finally {
    client.destroy();
  }
}

/** The name of a queue's dead letters. */
export const deadLettersOf = (name: string): string => `${name}-dead-letters`;

/** Not created anew: an SQS that somebody brings may hold the queue with other attributes. */
async function ensureQueue(
  client: SQSClient,
  QueueName: string,
  Attributes: Readonly<Record<string, string>>,
): Promise<string> {
  try {
    const { QueueUrl = '' } = await client.send(new GetQueueUrlCommand({ QueueName }));
    return QueueUrl;
  } catch (error) {
    if (!(error instanceof QueueDoesNotExist)) throw error;
    const create = new CreateQueueCommand({ QueueName, Attributes: { ...Attributes } });
    const { QueueUrl = '' } = await client.send(create);
    return QueueUrl;
  }
}
