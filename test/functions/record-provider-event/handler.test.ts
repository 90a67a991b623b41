import { beforeAll, describe, expect, it, vi } from 'vitest';
import { captureOutput } from '../../support/captured-output.ts';
import { buildSesEvent } from '../../support/ses-event-builder.ts';

const topicArn = 'arn:aws:sns:eu-west-1:123456789012:provider-events';
const unreachable = 'http://127.0.0.1:1';

type Handler = (event: unknown) => Promise<void>;
let handler: Handler;

beforeAll(async () => {
  vi.stubEnv('TABLE_NAME', 'none');
  vi.stubEnv('PROVIDER_EVENTS_TOPIC_ARN', topicArn);
  vi.stubEnv('WEBHOOK_QUEUE_URL', 'https://sqs.eu-west-1.amazonaws.com/123456789012/webhooks');
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  vi.stubEnv('AWS_MAX_ATTEMPTS', '1');
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', unreachable);
  ({ handler } = await import('../../../functions/record-provider-event/handler.ts'));
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
  it('ignores a notification of a foreign topic, and counts it', async () => {
    const output = captureOutput();
    const foreign = { TopicArn: 'arn:aws:sns:eu-west-1:999999999999:provider-events' };

    await handler(notify(JSON.stringify(buildSesEvent('Bounce')), foreign));

    expect(output.text()).toContain('"ProviderEventIgnored":1');
    expect(output.text()).toContain('foreign topic');
  });

  it('ignores an event that is not recorded, and counts it by its type', async () => {
    const output = captureOutput();

    await handler(notify(JSON.stringify(buildSesEvent('DeliveryDelay'))));

    expect(output.text()).toContain('"ProviderEventIgnored":1');
    expect(output.text()).toContain('"reason":"DeliveryDelay"');
  });

  it.each([
    ['no JSON', 'Successfully validated SNS topic for ann@example.com'],
    ['malformed JSON with a line like a stack frame', '{"a":1}\n    at ann@example.com'],
    ['an event of a shape we do not know', '{"eventType":"Bounce","mail":"ann@example.com"}'],
    ['an event that the table cannot take', JSON.stringify(buildSesEvent('Bounce'))],
  ])('fails on %s, so that it is retried and dead-lettered', async (_what, message) => {
    const output = captureOutput();

    const run = handler(notify(message));

    await expect(run).rejects.toThrow(/^provider event not recorded$/);
    expect(output.text()).toContain('notification-1');
    expect(output.text()).not.toContain('ann@example.com');
  });

  it('fails on what is no notification', async () => {
    await expect(handler({ detail: {} })).rejects.toThrow();
  });
});
