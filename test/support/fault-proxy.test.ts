import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type LocalServer, listen, readBody } from '../../infra/local/server.ts';
import { allKeysUnprocessed, dynamodbError, sesError, transactionCanceled } from './aws-answers.ts';
import { startFaultProxy } from './fault-proxy.ts';
import {
  answerInstead,
  delayForwarding,
  hangBeforeForwarding,
  loseAnswer,
  replaceAnswer,
  resetBeforeForwarding,
  runAfter,
  runBefore,
  withholdAnswer,
} from './faults.ts';

const running: LocalServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0).reverse()) await server.stop();
});

/** A target that answers `{"MessageId": "1"}` to anything, and counts its requests and connections. */
async function proxyInFrontOfTarget() {
  const seen = { requests: 0, connections: 0 };
  const server = createServer(async (request, response) => {
    await readBody(request);
    seen.requests += 1;
    response.setHeader('content-type', 'application/json').end('{"MessageId":"1"}');
  });
  server.on('connection', () => {
    seen.connections += 1;
  });
  const target = await listen(server, 0);
  const proxy = await startFaultProxy({ target: target.url });
  running.push(target, proxy);
  return { proxy, seen };
}

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const clientOptions = (endpoint: string) =>
  ({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 }) as const;

const sendTo = (url: string, to = 'ann@example.com', abortSignal?: AbortSignal) =>
  new SESv2Client(clientOptions(url)).send(
    new SendEmailCommand({
      FromEmailAddress: 'hello@example.com',
      Destination: { ToAddresses: [to] },
      Content: { Simple: { Subject: { Data: 'Hi' }, Body: { Text: { Data: 'Hi' } } } },
    }),
    abortSignal && { abortSignal },
  );

const key = { pk: { S: 'a' }, sk: { S: 'b' } };
const transaction = new TransactWriteItemsCommand({
  TransactItems: [
    { Delete: { TableName: 'table', Key: key } },
    { Put: { TableName: 'table', Item: key } },
  ],
});

describe('fault proxy', () => {
  it('passes requests through and records them by operation', async () => {
    const { proxy, seen } = await proxyInFrontOfTarget();

    const answer = await sendTo(proxy.url);
    await new DynamoDBClient(clientOptions(proxy.url)).send(
      new GetItemCommand({ TableName: 'table', Key: key }),
    );
    await fetch(`${proxy.url}/store`);

    expect(answer.MessageId).toBe('1');
    expect(seen.requests).toBe(3);
    expect(proxy.requests.map(({ operation }) => operation)).toEqual([
      'SendEmail',
      'GetItem',
      'GET /store',
    ]);
    expect(proxy.requests[1]?.body).toEqual({ TableName: 'table', Key: key });
    expect(proxy.count('SendEmail')).toBe(1);
  });

  it('keeps its connections to the target and to the client open', async () => {
    const { proxy, seen } = await proxyInFrontOfTarget();

    for (let index = 0; index < 5; index += 1) await (await fetch(proxy.url)).text();

    expect(seen).toEqual({ requests: 5, connections: 1 });
  });

  it('does a fault to the requests it matches, as often as told, then no more', async () => {
    const { proxy, seen } = await proxyInFrontOfTarget();
    proxy.inject({
      operation: 'SendEmail',
      matches: (body) => JSON.stringify(body).includes('bob@'),
      times: 2,
      action: answerInstead(sesError('MessageRejected')),
    });

    const outcomes = [];
    for (const to of ['ann@example.com', 'bob@example.com', 'bob@example.com', 'bob@example.com']) {
      outcomes.push(await sendTo(proxy.url, to).then(() => 'sent', nameOf));
    }

    expect(outcomes).toEqual(['sent', 'MessageRejected', 'MessageRejected', 'sent']);
    expect(seen.requests).toBe(2);
    expect(proxy.count('SendEmail')).toBe(4);
  });

  it('forgets faults and requests when cleared', async () => {
    const { proxy } = await proxyInFrontOfTarget();
    proxy.inject({ operation: 'SendEmail', action: resetBeforeForwarding() });
    await fetch(proxy.url);

    proxy.clear();

    expect(proxy.requests).toEqual([]);
    await expect(sendTo(proxy.url)).resolves.toMatchObject({ MessageId: '1' });
  });

  it('resets the connection when the target is gone', async () => {
    const { proxy } = await proxyInFrontOfTarget();
    await running[0]?.stop();

    await expect(fetch(proxy.url)).rejects.toThrow('fetch failed');

    running.shift();
  });
});

describe('actions', () => {
  it.each([
    ['reset before forwarding', resetBeforeForwarding, 0, 'ECONNRESET'],
    ['lose the answer', loseAnswer, 1, 'ECONNRESET'],
  ])('%s', async (_, action, forwarded, error) => {
    const { proxy, seen } = await proxyInFrontOfTarget();
    proxy.inject({ operation: 'SendEmail', action: action() });

    const outcome = await sendTo(proxy.url).then(() => 'sent', nameOf);

    expect(outcome).toBe(error);
    expect(seen.requests).toBe(forwarded);
  });

  it.each([
    ['hang before forwarding', hangBeforeForwarding, 0],
    ['withhold the answer', withholdAnswer, 1],
  ])('%s', async (_, action, forwarded) => {
    const { proxy, seen } = await proxyInFrontOfTarget();
    proxy.inject({ operation: 'SendEmail', action: action() });
    const patience = new AbortController();

    const outcome = sendTo(proxy.url, undefined, patience.signal).then(() => 'sent', nameOf);
    await vi.waitUntil(() => proxy.count('SendEmail') === 1 && seen.requests === forwarded, {
      timeout: 50_000,
    });
    await sleep(200);
    patience.abort();

    expect(await outcome).toBe('AbortError');
    expect(seen.requests).toBe(forwarded);
  });

  it('replace the answer to what the target did', async () => {
    const { proxy, seen } = await proxyInFrontOfTarget();
    proxy.inject({
      operation: 'SendEmail',
      action: replaceAnswer(sesError('InternalServiceErrorException')),
    });

    await expect(sendTo(proxy.url)).rejects.toMatchObject({
      name: 'InternalServiceErrorException',
      $metadata: { httpStatusCode: 500 },
    });

    expect(seen.requests).toBe(1);
  });

  it('delay', async () => {
    const { proxy } = await proxyInFrontOfTarget();
    proxy.inject({ operation: 'SendEmail', action: delayForwarding(60) });
    const startedAt = performance.now();

    await sendTo(proxy.url);

    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(55);
  });

  it('run something before the target hears of it, or after, while the client still waits', async () => {
    const { proxy, seen } = await proxyInFrontOfTarget();
    const seenWhenRun: number[] = [];
    const run = () => {
      seenWhenRun.push(seen.requests);
    };
    proxy.inject({ operation: 'SendEmail', action: runBefore(run) });
    proxy.inject({ operation: 'SendEmail', action: runAfter(run) });

    await sendTo(proxy.url);
    const answer = await sendTo(proxy.url);

    expect(seenWhenRun).toEqual([0, 2]);
    expect(answer.MessageId).toBe('1');
  });
});

describe('answers as the SDK reads them', () => {
  it.each([
    ['TooManyRequestsException', 429],
    ['MailFromDomainNotVerifiedException', 400],
    ['InternalServiceErrorException', 500],
  ] as const)('SES: %s with status %i', async (name, status) => {
    const { proxy } = await proxyInFrontOfTarget();
    proxy.inject({ operation: 'SendEmail', action: answerInstead(sesError(name)) });

    await expect(sendTo(proxy.url)).rejects.toMatchObject({
      name,
      $metadata: { httpStatusCode: status },
    });
  });

  it('DynamoDB: an error, and a transaction cancelled for its reasons', async () => {
    const { proxy } = await proxyInFrontOfTarget();
    const client = new DynamoDBClient(clientOptions(proxy.url));
    const throttled = dynamodbError('ProvisionedThroughputExceededException');
    const conflict = transactionCanceled(['None', 'TransactionConflict']);
    proxy.inject({ operation: 'TransactWriteItems', action: answerInstead(throttled) });
    proxy.inject({ operation: 'TransactWriteItems', action: answerInstead(conflict) });

    await expect(client.send(transaction)).rejects.toMatchObject({
      name: 'ProvisionedThroughputExceededException',
      $metadata: { httpStatusCode: 400 },
    });
    await expect(client.send(transaction)).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'None' }, { Code: 'TransactionConflict' }],
    });
  });

  it('DynamoDB: every key of a batch unprocessed', async () => {
    const { proxy } = await proxyInFrontOfTarget();
    const requestItems = { table: { Keys: [key], ConsistentRead: true } };
    proxy.inject({ operation: 'BatchGetItem', action: answerInstead(allKeysUnprocessed) });

    const answer = await new DynamoDBClient(clientOptions(proxy.url)).send(
      new BatchGetItemCommand({ RequestItems: requestItems }),
    );

    expect(answer).toMatchObject({ Responses: {}, UnprocessedKeys: requestItems });
  });
});

function nameOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return 'code' in error ? error.code : error.name;
}
