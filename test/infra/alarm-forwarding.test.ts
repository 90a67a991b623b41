import { describe, expect, it } from 'vitest';
import { asText } from './resolve-intrinsics.ts';
import { functionPath, resourcesOfType, synthesiseStack } from './synthesised-stack.ts';

const alarmTargetsSecretArn =
  'arn:aws:secretsmanager:eu-west-1:123456789012:secret:alarm-targets-AbCdEf';

describe('alarms', () => {
  it('are forwarded to the operator’s targets by a function that may read their secret', () => {
    const stack = synthesiseStack({ alarmTargetsSecretArn });

    const subscriptions = resourcesOfType(stack, 'AWS::SNS::Subscription').filter(({ path }) =>
      path.includes('forward-alarms'),
    );
    expect(subscriptions).toHaveLength(1);
    expect(asText(stack, subscriptions[0]?.Properties['Endpoint'])).toBe(
      functionPath('forward-alarms', 'Lambda'),
    );
    expect(subscriptions[0]?.Properties['FilterPolicyScope']).toBe('MessageBody');
    const own = resourcesOfType(stack, 'AWS::CloudWatch::Alarm').filter(({ path }) =>
      path.includes('AlarmForwarding'),
    );
    // Or it would keep itself alive.
    expect(subscriptions[0]?.Properties['FilterPolicy']).toEqual({
      AlarmName: [{ 'anything-but': own.map(({ Properties }) => Properties['AlarmName']) }],
    });
    const reading = resourcesOfType(stack, 'AWS::IAM::Role').filter(({ Properties }) =>
      JSON.stringify(Properties).includes(alarmTargetsSecretArn),
    );
    expect(reading.map(({ path }) => path)).toEqual([expect.stringContaining('forward-alarms')]);
  });

  it('aren’t without the setting', () => {
    const subscriptions = resourcesOfType(synthesiseStack(), 'AWS::SNS::Subscription');

    expect(subscriptions.filter(({ path }) => path.includes('forward-alarms'))).toEqual([]);
  });
});
