import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  QueueDoesNotExist,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { uploadByteLength, uploadIdSchema } from '#shared/tokens/resource-id';
import { attachmentsBucketName } from '../environment.ts';
import { type LocalServer, loopback } from '../server.ts';

/** fauxqs is SQS and S3 in memory. S3 needs path-style addresses. Its own `startFauxqs` listens on every interface. */
export async function startQueues(): Promise<LocalServer> {
  const { buildApp } = await import('fauxqs');
  const fauxqs = buildApp({ logger: false });
  // It checks no signatures. A ticket's signature covers the length, with which the upload's name ends.
  fauxqs.addHook('onRequest', async ({ method, url, headers }, reply) => {
    const id = uploadIdSchema.safeParse(url.replace(/\?.*$/, '').split('/').at(-1)).data;
    if (method !== 'PUT' || id === undefined) return;
    if (Number(headers['content-length']) === uploadByteLength(id)) return;
    return reply.code(403).type('application/xml').send(signatureDoesNotMatch);
  });
  // It ignores the headers that a request asks for instead of the stored ones.
  fauxqs.addHook('onSend', async ({ url }, reply) => {
    const { searchParams } = new URL(url, 'http://s3');
    const encoding = searchParams.get('response-content-encoding');
    if (encoding !== null) reply.header('content-encoding', encoding);
  });
  const url = await fauxqs.listen({ port: 0, host: loopback });
  return { url, stop: () => fauxqs.close() };
}

const signatureDoesNotMatch =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>SignatureDoesNotMatch</Code><Message>The request signature we calculated does not match the signature you provided. Check your key and signing method.</Message></Error>';

type QueueSettings = {
  readonly visibilityTimeoutSeconds: number;
  readonly maxReceiveCount: number;
};

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
    // fauxqs uses a host name that only resolves where `*.localhost` does.
    return new URL(new URL(queueUrl).pathname, endpoint).href;
  } finally {
    client.destroy();
  }
}

export const deadLettersOf = (name: string): string => `${name}-dead-letters`;

/** An existing queue is used unchanged: your own SQS may have other attributes. */
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

export async function createAttachmentsBucket(endpoint: string): Promise<void> {
  const response = await fetch(`${endpoint}/${attachmentsBucketName}`, { method: 'PUT' });
  await response.body?.cancel();
  const isThere = response.ok || response.status === 409;
  if (!isThere) throw new Error(`S3 answered ${response.status} to the creation of a bucket`);
}
