import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { maxRetries } from '#shared/config/event-retry-plan';
import { SendingConfiguration } from '../../infra/constructs/pipelines/sending-configuration.ts';
import { suppressionChoiceOf } from '../../infra/settings/declaration.ts';
import { statementsOf } from './policy-statements.ts';
import { asText } from './resolve-intrinsics.ts';
import {
  createApp,
  resourceAt,
  resourcesOfType,
  type SynthesisedStack,
  synthesiseStack,
  synthesiseWithSettings,
} from './synthesised-stack.ts';

const stack = synthesiseStack();
const topic = resourceAt(stack, 'ProviderEventPipeline/Topic');
const deadLetters = resourceAt(stack, 'ProviderEventPipeline/DeadLetters/Queue');
const deadLettersArn = { 'Fn::GetAtt': [deadLetters.logicalId, 'Arn'] };
const retryQueue = resourceAt(stack, 'ProviderEventPipeline/RetryQueue');
const retryQueueArn = { 'Fn::GetAtt': [retryQueue.logicalId, 'Arn'] };

describe('the configuration set', () => {
  it('publishes delivery events, and neither opens nor clicks', () => {
    const [destination, ...others] = resourcesOfType(
      stack,
      'AWS::SES::ConfigurationSetEventDestination',
    );

    expect(others).toEqual([]);
    expect(destination?.Properties['EventDestination']).toEqual({
      Enabled: true,
      MatchingEventTypes: [
        'send',
        'delivery',
        'bounce',
        'complaint',
        'reject',
        'renderingFailure',
        'deliveryDelay',
      ],
      SnsDestination: { TopicARN: { Ref: topic.logicalId } },
    });
  });

  it('leaves links as they are', () => {
    const configurationSet = resourceAt(stack, 'SendingConfiguration/ConfigurationSet');

    expect(configurationSet.Properties).not.toHaveProperty('TrackingOptions');
    expect(configurationSet.Properties).toMatchObject({
      ReputationOptions: { ReputationMetricsEnabled: false },
    });
  });

  it.each([
    ['of the account holds back nobody', {}, []],
    ['of each tenant holds back who bounced', { sesTenants: true }, ['BOUNCE']],
    ['holds back as the operator chose', { sesSuppresses: 'bounces' }, ['BOUNCE']],
    [
      'holds back complainers too, if the operator chose that',
      { sesSuppresses: 'bounces_and_complaints' },
      ['BOUNCE', 'COMPLAINT'],
    ],
    ['is off for tenants as well', { sesTenants: true, sesSuppresses: 'nobody' }, []],
  ] as const)('so that the list of SES %s', (_what, given, SuppressedReasons) => {
    const own = new Stack(createApp(), 'Own');
    const settings = { sesSuppresses: undefined, sesTenants: false, ...given };
    new SendingConfiguration(own, 'Configuration', suppressionChoiceOf(settings));

    Template.fromStack(own).hasResourceProperties('AWS::SES::ConfigurationSet', {
      SuppressionOptions: { SuppressedReasons },
    });
  });

  it('uses the suppression list that sesSuppresses selects', () => {
    const reasonsIn = (one: SynthesisedStack) =>
      resourceAt(one, 'SendingConfiguration/ConfigurationSet').Properties['SuppressionOptions'];

    expect([stack, synthesiseWithSettings()].map(reasonsIn)).toEqual([
      { SuppressedReasons: [] },
      { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
    ]);
  });
});

describe('the provider event topic', () => {
  const statements = statementsOf(resourceAt(stack, 'ProviderEventPipeline/Topic/Policy'));
  const ourConfigurationSet =
    'arn:{AWS::Partition}:ses:{AWS::Region}:{AWS::AccountId}:configuration-set/SendingConfiguration/ConfigurationSet';

  it('lets only SES publish, and only for our configuration set', () => {
    const allowed = statements.filter(({ Effect }) => Effect === 'Allow');

    expect(allowed).toMatchObject([
      {
        Action: ['sns:Publish'],
        Principal: { Service: 'ses.amazonaws.com' },
        Condition: { StringEquals: { 'AWS:SourceAccount': { Ref: 'AWS::AccountId' } } },
      },
    ]);
    expect(sourceArnIn(allowed[0]?.Condition)).toBe(ourConfigurationSet);
  });

  it('denies other roles in the account, and requests without TLS', () => {
    const denied = statements.filter(({ Effect }) => Effect === 'Deny');

    expect(denied.map(({ Action, Principal }) => ({ Action, Principal }))).toEqual([
      { Action: ['sns:Publish'], Principal: '*' },
      { Action: ['sns:Publish'], Principal: '*' },
    ]);
    expect(denied[0]?.Condition).toEqual({ Bool: { 'aws:SecureTransport': 'false' } });
    expect(sourceArnIn(denied[1]?.Condition)).toBe(ourConfigurationSet);
  });
});

describe('the intake', () => {
  const lambda = resourceAt(stack, 'Functions/record-provider-event/Lambda');

  it('puts an event that SNS cannot deliver into the retry queue', () => {
    const subscriptions = resourcesOfType(stack, 'AWS::SNS::Subscription');

    expect(subscriptions.map(({ Properties }) => Properties)).toEqual([
      {
        Protocol: 'lambda',
        TopicArn: { Ref: topic.logicalId },
        Endpoint: { 'Fn::GetAtt': [lambda.logicalId, 'Arn'] },
        RedrivePolicy: { deadLetterTargetArn: retryQueueArn },
      },
    ]);
  });

  it('lets SNS write to the retry queue, over TLS only', () => {
    const [denied, allowed] = statementsOf(
      resourceAt(stack, 'ProviderEventPipeline/RetryQueue/Policy'),
    );

    expect(denied).toMatchObject({
      Effect: 'Deny',
      Action: ['sqs:*'],
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    });
    expect(allowed).toMatchObject({
      Effect: 'Allow',
      Action: ['sqs:SendMessage'],
      Principal: { Service: 'sns.amazonaws.com' },
      Condition: { ArnEquals: { 'aws:SourceArn': { Ref: topic.logicalId } } },
    });
  });

  it('sends a failed event to the retry queue without delay', () => {
    const [config, ...others] = resourcesOfType(stack, 'AWS::Lambda::EventInvokeConfig').filter(
      ({ Properties }) => JSON.stringify(Properties['FunctionName']).includes(lambda.logicalId),
    );

    expect(others).toEqual([]);
    expect(config?.Properties).toMatchObject({
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
      DestinationConfig: { OnFailure: { Destination: retryQueueArn } },
    });
    expect(lambda.Properties).not.toHaveProperty('DeadLetterConfig');
  });

  it('retries events for a day, then moves them to the dead-letter queue', () => {
    expect(retryQueue.Properties).toEqual({
      SqsManagedSseEnabled: true,
      MessageRetentionPeriod: 14 * 24 * 60 * 60,
      VisibilityTimeout: 180,
      RedrivePolicy: { deadLetterTargetArn: deadLettersArn, maxReceiveCount: maxRetries },
    });
  });

  it('invokes the same function from the retry queue, with partial batch responses', () => {
    const [mapping, ...others] = resourcesOfType(stack, 'AWS::Lambda::EventSourceMapping').filter(
      ({ Properties }) =>
        JSON.stringify(Properties['EventSourceArn']).includes(retryQueue.logicalId),
    );

    expect(others).toEqual([]);
    expect(mapping?.Properties).toEqual({
      EventSourceArn: retryQueueArn,
      FunctionName: { Ref: lambda.logicalId },
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  });

  it('encrypts dead letters, requires TLS and keeps them for 14 days', () => {
    const [denied] = statementsOf(
      resourceAt(stack, 'ProviderEventPipeline/DeadLetters/Queue/Policy'),
    );

    expect(deadLetters.Properties).toEqual({
      MessageRetentionPeriod: 14 * 24 * 60 * 60,
      SqsManagedSseEnabled: true,
    });
    expect(denied).toMatchObject({
      Effect: 'Deny',
      Action: ['sqs:*'],
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    });
  });

  it('all queues keep messages for 14 days, so time spent waiting does not shorten redriving', () => {
    const kept = resourcesOfType(stack, 'AWS::SQS::Queue').map(
      ({ Properties }) => Properties['MessageRetentionPeriod'],
    );

    expect(kept.length).toBeGreaterThan(8);
    expect(new Set(kept)).toEqual(new Set([14 * 24 * 60 * 60]));
  });

  it('the dead-letter alarm rings for a single event and says how to redrive it', () => {
    const alarm = resourceAt(stack, 'ProviderEventPipeline/DeadLetters/Alarm');

    expect(alarm.Properties['AlarmDescription']).toMatch(
      /fix the cause, then redrive this queue .*start-message-move-task/,
    );

    expect(alarm.Properties).toMatchObject({
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Dimensions: [
        { Name: 'QueueName', Value: { 'Fn::GetAtt': [deadLetters.logicalId, 'QueueName'] } },
      ],
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Threshold: 1,
    });
  });
});

function sourceArnIn(condition: unknown): string {
  const operators = Object.values(condition ?? {});
  const [value] = operators.flatMap((keys) =>
    Object.entries(keys)
      .filter(([key]) => key.toLowerCase() === 'aws:sourcearn')
      .map(([, arn]) => arn),
  );
  return asText(stack, value);
}
