import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { feedbackIdOf, ownPartIn, type SendId, slotIdIn } from '#shared/tokens/resource-id';
import { startLocalStack } from '../../infra/local/stack.ts';
import { startFaultProxy } from '../support/fault-proxy.ts';
import { toDocumentInput } from './document-input.ts';
import { postSend } from './post-send.ts';

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

/** Makes one send with an idempotency key to a known contact, and records what it asks of the SDK. */
export async function recordSend(endpoints: Endpoints): Promise<RecordedSend> {
  const dynamodb = await startFaultProxy({ target: endpoints.AWS_ENDPOINT_URL_DYNAMODB });
  const ses = await startFaultProxy({ target: endpoints.AWS_ENDPOINT_URL_SESV2 });
  const env = { AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url, AWS_ENDPOINT_URL_SESV2: ses.url };
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
