import { SQSClient } from '@aws-sdk/client-sqs';
import { NodeHttpHandler } from '@smithy/node-http-handler';

/** Opens a client of SQS whose timeouts are short: somebody waits, and no call to a queue is the only one. */
export const openQueueClient = (): SQSClient =>
  new SQSClient({
    maxAttempts: 2,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: 1_000,
      requestTimeout: 2_000,
      throwOnRequestTimeout: true,
    }),
  });
