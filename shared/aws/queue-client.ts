import { SQSClient } from '@aws-sdk/client-sqs';
import { NodeHttpHandler } from '@smithy/node-http-handler';

/** Timeouts are short: a caller is waiting, and there is always a fallback for a call to a queue. */
export const openQueueClient = (): SQSClient =>
  new SQSClient({
    maxAttempts: 2,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: 1_000,
      requestTimeout: 2_000,
      throwOnRequestTimeout: true,
    }),
  });
