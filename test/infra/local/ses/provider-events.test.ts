import { describe, expect, it } from 'vitest';
import { createProviderEventIntake } from '../../../../infra/local/ses/provider-events.ts';

const topicArn = 'arn:aws:sns:us-east-1:000000000000:events';

describe('provider event intake', () => {
  it('hands the event to the intake function as an SNS notification', async () => {
    const invocations: unknown[] = [];
    const names: string[] = [];
    const intake = createProviderEventIntake(async (name) => {
      names.push(name);
      return (event) => invocations.push(event);
    }, topicArn);

    await intake({ eventType: 'Send' });

    expect(names).toEqual(['record-provider-event']);
    expect(invocations).toEqual([
      {
        Records: [
          {
            EventVersion: '1.0',
            EventSource: 'aws:sns',
            EventSubscriptionArn: expect.stringContaining(topicArn),
            Sns: expect.objectContaining({
              Type: 'Notification',
              TopicArn: topicArn,
              MessageId: expect.any(String),
              Message: '{"eventType":"Send"}',
              Timestamp: expect.stringMatching(/^\d{4}-/),
            }),
          },
        ],
      },
    ]);
  });

  it('throws what the intake threw', async () => {
    const intake = createProviderEventIntake(
      async () => () => Promise.reject(new Error('not recorded')),
      topicArn,
    );

    await expect(intake({})).rejects.toThrow('not recorded');
  });
});
