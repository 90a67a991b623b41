import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import {
  backgroundFunctions,
  declaringFunctions,
  endpoints,
} from '../../../functions/endpoints.ts';
import { functionEnvironment, setEnvironment } from '../../../infra/local/environment.ts';
import { createHandlerLoader } from '../../../infra/local/gateway/functions.ts';

const nowhere = 'http://127.0.0.1:1';
let restoreEnvironment: () => void;
beforeAll(() => {
  restoreEnvironment = setEnvironment({
    ...functionEnvironment({
      endpoints: { dynamodb: nowhere, sesv2: nowhere, sqs: nowhere, s3: nowhere },
      secretsUrl: nowhere,
      publicBaseUrl: nowhere,
      providerEventsTopicArn: 'arn:aws:sns:us-east-1:000000000000:provider-events',
      builtFilesFolder: 'none',
      quiet: true,
    }),
    AWS_REGION: 'us-east-1',
    WEBHOOK_QUEUE_URL: nowhere,
    SEND_QUEUE_URL: nowhere,
    TEST_EVENT_QUEUE_URL: nowhere,
    PROVIDER_EVENT_RETRY_QUEUE_URL: nowhere,
  });
});
afterAll(() => restoreEnvironment());
afterEach(() => {
  vi.restoreAllMocks();
});

// A client takes milliseconds of each cold start.
it.each(Object.keys({ ...endpoints, ...backgroundFunctions, ...declaringFunctions }))(
  '%s opens the table once at most',
  async (name) => {
    const opened = vi.spyOn(DynamoDBDocumentClient, 'from');

    await createHandlerLoader()(name);

    expect(opened.mock.calls.length).toBeLessThanOrEqual(1);
  },
);
