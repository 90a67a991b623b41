import { describe, expect, it } from 'vitest';
import { leaseMs } from '#shared/webhooks/delivery';
import { httpWorkMs, scheduledWorkMs } from '#shared/webhooks/run-due-deliveries';
import { statementsOf } from './policy-statements.ts';
import { resourceAt, resourcesOfType, synthesiseStack } from './synthesised-stack.ts';

const stack = synthesiseStack();
const queue = resourceAt(stack, 'WebhookDelivery/Queue');
const deadLetters = resourceAt(stack, 'WebhookDelivery/DeadLetters/Queue');
const deliver = resourceAt(stack, 'Functions/deliver-webhooks/Lambda');
const run = resourceAt(stack, 'Functions/run-webhook-queue/Lambda');

describe('the queue of first attempts', () => {
  it('is encrypted, and gives up on a message only after five tries', () => {
    expect(queue.Properties).toEqual({
      SqsManagedSseEnabled: true,
      VisibilityTimeout: 180,
      RedrivePolicy: {
        deadLetterTargetArn: { 'Fn::GetAtt': [deadLetters.logicalId, 'Arn'] },
        maxReceiveCount: 5,
      },
    });
  });

  it('is reached over TLS only', () => {
    const statements = statementsOf(resourceAt(stack, 'WebhookDelivery/Queue/Policy'));

    expect(statements).toMatchObject([
      {
        Effect: 'Deny',
        Action: ['sqs:*'],
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      },
    ]);
  });

  it('waits six times as long as the function may take before it gives a message again', () => {
    const timeoutSeconds = Number(deliver.Properties['Timeout']);

    expect(queue.Properties['VisibilityTimeout']).toBe(6 * timeoutSeconds);
  });

  it('rings as soon as a message waits in its dead-letter queue', () => {
    const alarm = resourceAt(stack, 'WebhookDelivery/DeadLetters/Alarm');

    expect(alarm.Properties).toMatchObject({
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Dimensions: [
        { Name: 'QueueName', Value: { 'Fn::GetAtt': [deadLetters.logicalId, 'QueueName'] } },
      ],
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold: 1,
    });
  });

  it('is worked off by deliver-webhooks at once, which answers for each message by itself', () => {
    const [mapping, ...others] = resourcesOfType(stack, 'AWS::Lambda::EventSourceMapping').filter(
      ({ Properties }) => JSON.stringify(Properties['EventSourceArn']).includes(queue.logicalId),
    );

    expect(others).toEqual([]);
    expect(mapping?.Properties).toEqual({
      EventSourceArn: { 'Fn::GetAtt': [queue.logicalId, 'Arn'] },
      FunctionName: { Ref: deliver.logicalId },
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  });
});

describe('an attempt', () => {
  const longestPostMs = 15_000;

  it('from the queue is over before its lease is, however its function ends', () => {
    const timeoutMs = Number(deliver.Properties['Timeout']) * 1_000;

    expect(timeoutMs).toBeGreaterThan(longestPostMs);
    expect(timeoutMs).toBeLessThanOrEqual(leaseMs);
  });

  it('that a scheduled run begins last has the whole of its lease', () => {
    const timeoutMs = Number(run.Properties['Timeout']) * 1_000;

    expect(scheduledWorkMs).toBeLessThan(60_000);
    expect(timeoutMs).toBe(scheduledWorkMs + leaseMs);
  });

  it('that a run by HTTP begins last is over when the answer must be there', () => {
    expect(httpWorkMs + longestPostMs).toBeLessThan(29_000);
  });
});

describe('the schedule', () => {
  const role = resourceAt(stack, 'WebhookDelivery/Schedule/Role');

  it('runs the retry queue each minute, as the run that needs no secret', () => {
    const [schedule, ...others] = resourcesOfType(stack, 'AWS::Scheduler::Schedule');

    expect(others).toEqual([]);
    expect(schedule?.Properties).toMatchObject({
      ScheduleExpression: 'rate(1 minute)',
      FlexibleTimeWindow: { Mode: 'OFF' },
      State: 'ENABLED',
      Target: {
        Arn: { 'Fn::GetAtt': [run.logicalId, 'Arn'] },
        RoleArn: { 'Fn::GetAtt': [role.logicalId, 'Arn'] },
        Input: '{"scheduledRun":true}',
      },
    });
  });

  it('does not repeat a run that the next one makes good', () => {
    const [schedule] = resourcesOfType(stack, 'AWS::Scheduler::Schedule');
    const [invocations] = resourcesOfType(stack, 'AWS::Lambda::EventInvokeConfig').filter(
      ({ Properties }) => JSON.stringify(Properties['FunctionName']).includes(run.logicalId),
    );

    expect(schedule?.Properties['Target']).toMatchObject({
      RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 },
    });
    expect(invocations?.Properties).toMatchObject({
      FunctionName: { Ref: run.logicalId },
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
    });
  });

  it('leaves no group behind whose name would be taken at the next deployment', () => {
    const group = resourceAt(stack, 'WebhookDelivery/Schedule/Group');

    expect(group).toMatchObject({ DeletionPolicy: 'Delete' });
  });

  it('may invoke this function and nothing else', () => {
    const { Policies, ManagedPolicyArns } = role.Properties;

    expect(ManagedPolicyArns).toBeUndefined();
    expect(Policies).toMatchObject([
      {
        PolicyDocument: {
          Statement: [
            {
              Effect: 'Allow',
              Action: 'lambda:InvokeFunction',
              Resource: { 'Fn::GetAtt': [run.logicalId, 'Arn'] },
            },
          ],
        },
      },
    ]);
    const attached = resourcesOfType(stack, 'AWS::IAM::Policy').filter(({ Properties }) =>
      JSON.stringify(Properties['Roles']).includes(role.logicalId),
    );
    expect(attached).toEqual([]);
  });

  it('lends its role to the schedules of its own group only', () => {
    const group = resourceAt(stack, 'WebhookDelivery/Schedule/Group');

    expect(role.Properties['AssumeRolePolicyDocument']).toMatchObject({
      Statement: [
        {
          Effect: 'Allow',
          Principal: { Service: 'scheduler.amazonaws.com' },
          Condition: {
            StringEquals: {
              'aws:SourceAccount': { Ref: 'AWS::AccountId' },
              'aws:SourceArn': { 'Fn::GetAtt': [group.logicalId, 'Arn'] },
            },
          },
        },
      ],
    });
    const [schedule] = resourcesOfType(stack, 'AWS::Scheduler::Schedule');
    expect(schedule?.Properties['GroupName']).toBe(group.Properties['Name']);
  });
});
