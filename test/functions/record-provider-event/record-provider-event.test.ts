import { ChangeMessageVisibilityCommand, SQSClient } from '@aws-sdk/client-sqs';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { serveEvent } from '#shared/endpoints/serve-background';
import { backgroundFunction } from '../../../functions/record-provider-event/record-provider-event.ts';
import { recordOfFailure } from '../../../infra/local/ses/event-intake.ts';
import { captureOutput } from '../../support/captured-output.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { buildSesEvent } from '../../support/ses-event-builder.ts';

const topicArn = 'arn:aws:sns:eu-west-1:123456789012:provider-events';
const queues = 'https://sqs.eu-west-1.amazonaws.com/123456789012/';
const unreachable = 'http://127.0.0.1:1';

type Handler = (event: unknown) => Promise<unknown>;
let handler: Handler;

beforeAll(() => {
  vi.stubEnv('TABLE_NAME', 'none');
  vi.stubEnv('PROVIDER_EVENTS_TOPIC_ARN', topicArn);
  vi.stubEnv('WEBHOOK_QUEUE_URL', `${queues}webhooks`);
  vi.stubEnv('PROVIDER_EVENT_RETRY_QUEUE_URL', `${queues}event-retries`);
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', unreachable);
  const serve = serveEvent(backgroundFunction);
  handler = (event) => serve(event, lambdaContext());
});

const setupNotice = 'Successfully validated SNS topic for Amazon SES event publishing.';

const sqs = mockClient(SQSClient);
// Another file of this worker talks to a real queue.
afterAll(() => {
  sqs.restore();
});
beforeEach(() => {
  sqs.reset();
  sqs.on(ChangeMessageVisibilityCommand).resolves({});
});

const notify = (message: string, fields: Readonly<Record<string, string>> = {}) => ({
  Records: [
    {
      EventSource: 'aws:sns',
      Sns: { TopicArn: topicArn, MessageId: 'notification-1', Message: message, ...fields },
    },
  ],
});

describe('the intake', () => {
  it("ignores a foreign topic's notification, and counts it", async () => {
    const output = captureOutput();
    const foreign = { TopicArn: 'arn:aws:sns:eu-west-1:999999999999:provider-events' };

    await handler(notify(JSON.stringify(buildSesEvent('Bounce')), foreign));

    expect(output.text()).toContain('"ProviderEventIgnored":1');
    expect(output.text()).toContain('foreign topic');
  });

  it('ignores an unsupported event, and counts it by type', async () => {
    const output = captureOutput();

    await handler(notify(JSON.stringify(buildSesEvent('Subscription'))));

    expect(output.text()).toContain('"ProviderEventIgnored":1');
    expect(output.text()).toContain('"reason":"Subscription"');
  });

  it.each([
    ['an object that is no event', '{"message":"ann@example.com\\n    at ann@example.com"}'],
    ['an event of a shape we do not know', '{"eventType":"Bounce","mail":"ann@example.com"}'],
    ['an event that the table cannot take', JSON.stringify(buildSesEvent('Bounce'))],
  ])('fails on %s, so that Lambda puts it in the retry queue', async (_what, message) => {
    const output = captureOutput();

    const run = handler(notify(message));

    await expect(run).rejects.toThrow(/^provider event not recorded$/);
    expect(output.text()).toContain('notification-1');
    expect(output.text()).not.toContain('ann@example.com');
  });

  it.each([
    ['Bounce', 'bounced'],
    ['Complaint', 'complained'],
  ] as const)('logs a %s as such, as the dashboard counts them', async (type, event) => {
    const output = captureOutput();

    await handler(notify(JSON.stringify(buildSesEvent(type)))).catch(() => {});

    expect(output.text()).toContain(`"event":"${event}"`);
  });

  it.each([
    ["SES's notice that the topic works", setupNotice],
    ['malformed JSON', '{"eventType":"Bounce","mail":"ann@example.com"'],
    ['a list', '[{"eventType":"Bounce"}]'],
    ['a text', '"ann@example.com"'],
    ['nothing', 'null'],
    ['an empty message', ''],
  ])("counts %s, which isn't an event, and drops it", async (_what, message) => {
    const output = captureOutput();

    await handler(notify(message));

    expect(output.text()).toContain('"ProviderEventIgnored":1');
    expect(output.text()).toContain('"reason":"not an event"');
    expect(output.text()).not.toContain('ann@example.com');
  });

  it("reports how late a Send event is, even when it can't be recorded", async () => {
    const output = captureOutput();
    const sentAt = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

    const before = Date.now();
    await handler(notify(JSON.stringify(buildSesEvent('Send')))).catch(() => {});
    const after = Date.now();
    await handler(notify(JSON.stringify(buildSesEvent('Bounce')))).catch(() => {});

    const lags = [...output.text().matchAll(/"ProviderEventLag":(\d+)/g)].map(([, ms]) =>
      Number(ms),
    );
    expect(lags).toHaveLength(1);
    expect(lags[0]).toBeGreaterThanOrEqual(before - sentAt);
    expect(lags[0]).toBeLessThanOrEqual(after - sentAt);
  });

  it('fails on anything but a notification', async () => {
    await expect(handler({ detail: {} })).rejects.toThrow();
  });
});

describe('a retry queue message', () => {
  const queued = (body: unknown, receiveCount: number, messageId = 'message-1') => ({
    messageId,
    receiptHandle: `handle of ${messageId}`,
    body: JSON.stringify(body),
    attributes: { ApproximateReceiveCount: `${receiveCount}` },
    eventSource: 'aws:sqs',
  });
  const postponed = () =>
    sqs.commandCalls(ChangeMessageVisibilityCommand).map(({ args: [{ input }] }) => input);
  const ignored = notify(JSON.stringify(buildSesEvent('Subscription')));
  const failing = notify(JSON.stringify(buildSesEvent('Bounce')));

  it.each([
    ["Lambda's record of a failed invocation", recordOfFailure(ignored, new Error('not now'))],
    ['the event of an invocation', ignored],
    ['a notification of SNS', { Type: 'Notification', ...ignored.Records[0]?.Sns }],
  ])('is read as %s', async (_what, body) => {
    const output = captureOutput();

    const response = await handler({ Records: [queued(body, 1)] });

    expect(response).toEqual({ batchItemFailures: [] });
    expect(output.text()).toContain('"reason":"Subscription"');
  });

  it('that fails stays in the queue, and is retried later each time', async () => {
    captureOutput();
    const Records = [
      queued(failing, 1, 'new'),
      queued(ignored, 1, 'good'),
      queued(failing, 5, 'old'),
    ];

    const response = await handler({ Records });

    expect(response).toEqual({
      batchItemFailures: [{ itemIdentifier: 'new' }, { itemIdentifier: 'old' }],
    });
    const QueueUrl = `${queues}event-retries`;
    const postponedBy = (name: string) =>
      postponed().filter(({ ReceiptHandle }) => ReceiptHandle === `handle of ${name}`);
    const untilDone = { QueueUrl, VisibilityTimeout: 35 };
    expect(postponedBy('good')).toMatchObject([untilDone]);
    expect(postponedBy('new')).toMatchObject([untilDone, { VisibilityTimeout: 2 }]);
    expect(postponedBy('old')).toMatchObject([untilDone, { VisibilityTimeout: 32 }]);
  });

  it('is hidden for its whole delay before work starts, when that is longer than any work', async () => {
    captureOutput();

    await handler({ Records: [queued(failing, 7)] });

    expect(postponed().map(({ VisibilityTimeout }) => VisibilityTimeout)).toEqual([90]);
  });

  it("of an unknown kind stays in the queue, and its address isn't logged", async () => {
    const output = captureOutput();

    const response = await handler({ Records: [queued({ to: 'ann@example.com' }, 1)] });

    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: 'message-1' }] });
    expect(output.text()).not.toContain('ann@example.com');
  });

  it("that can't be postponed stays in the queue, whose own timeout brings it back", async () => {
    captureOutput();
    sqs.on(ChangeMessageVisibilityCommand).rejects(new Error('unreachable'));

    const response = await handler({ Records: [queued(failing, 1)] });

    expect(response).toEqual({ batchItemFailures: [{ itemIdentifier: 'message-1' }] });
  });
});
