import { GetAccountCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, it } from 'vitest';
import { checkDeployment, checkSigningKey } from '../../../infra/manage/deployment-checks.ts';
import { unexpected } from '../../support/unexpected.ts';

type Reply = { readonly status?: number; readonly text: string };

const resources = `<ListStackResourcesResponse><ListStackResourcesResult><StackResourceSummaries>
  <member><LogicalResourceId>WebhookDeliveryDeadLettersQueue1</LogicalResourceId>
    <PhysicalResourceId>https://sqs.eu-west-1.amazonaws.com/1/dead</PhysicalResourceId>
    <ResourceType>AWS::SQS::Queue</ResourceType></member>
  <member><LogicalResourceId>WebhookDeliveryQueue1</LogicalResourceId>
    <PhysicalResourceId>https://sqs.eu-west-1.amazonaws.com/1/work</PhysicalResourceId>
    <ResourceType>AWS::SQS::Queue</ResourceType></member>
</StackResourceSummaries><NextToken>page2</NextToken></ListStackResourcesResult></ListStackResourcesResponse>`;
const moreResources = `<ListStackResourcesResponse><ListStackResourcesResult><StackResourceSummaries>
  <member><LogicalResourceId>Alarmshttp5xx1</LogicalResourceId>
    <PhysicalResourceId>EmailService-http5xx</PhysicalResourceId>
    <ResourceType>AWS::CloudWatch::Alarm</ResourceType></member>
</StackResourceSummaries></ListStackResourcesResult></ListStackResourcesResponse>`;
const alarms = (members: string) =>
  `<DescribeAlarmsResponse><DescribeAlarmsResult><MetricAlarms>${members}</MetricAlarms></DescribeAlarmsResult></DescribeAlarmsResponse>`;
const ringing = alarms(
  '<member><AlarmName>EmailService-http5xx</AlarmName><AlarmDescription>Sends fail &amp; wait.</AlarmDescription></member>',
);
const waiting = (count: number) =>
  JSON.stringify({ Attributes: { ApproximateNumberOfMessages: `${count}` } });

/** An account that answers each action. */
function deployment(
  replies: Readonly<Record<string, Reply>>,
  ses = { ProductionAccessEnabled: true },
) {
  const client = new SESv2Client({ region: 'eu-west-1' });
  mockClient(client)
    .on(GetAccountCommand)
    .resolves({ SendingEnabled: true, EnforcementStatus: 'HEALTHY', ...ses });
  const call = async ({
    headers,
    body,
  }: {
    headers: Readonly<Record<string, string>>;
    body: string;
  }) => {
    const form = new URLSearchParams(body);
    const action =
      headers['x-amz-target']?.split('.')[1] ??
      `${form.get('Action')}${form.get('NextToken') ?? ''}`;
    const { status = 200, text } = replies[action] ?? unexpected(action)();
    return { status, text };
  };
  return {
    account: { region: 'eu-west-1', call, openSes: () => client },
    stackName: 'EmailService',
  };
}

const stack = {
  ListStackResources: { text: resources },
  ListStackResourcespage2: { text: moreResources },
};

describe('what doctor finds in AWS', () => {
  it('is nothing when all is well', async () => {
    const findings = await checkDeployment(
      deployment({
        ...stack,
        GetQueueAttributes: { text: waiting(0) },
        DescribeAlarms: { text: alarms('') },
      }),
    );

    expect(findings.map(({ check, state, says }) => [check, state, says])).toEqual([
      ['account', 'ok', 'SES sends in eu-west-1, to everybody'],
      ['queues', 'ok', 'nothing waits in 1 dead-letter queue'],
      ['alarms', 'ok', 'none of 1 rings'],
    ]);
  });

  it('is the sandbox, what waits, and what rings, each with what to do', async () => {
    const findings = await checkDeployment(
      deployment(
        { ...stack, GetQueueAttributes: { text: waiting(3) }, DescribeAlarms: { text: ringing } },
        { ProductionAccessEnabled: false },
      ),
    );

    expect(findings).toEqual([
      expect.objectContaining({
        check: 'sandbox',
        todo: expect.stringContaining('production access'),
      }),
      {
        check: 'queues',
        state: 'problem',
        says: '3 messages in WebhookDeliveryDeadLettersQueue1',
        todo: 'See "Dead letters" in infra/README.md.',
      },
      {
        check: 'alarms',
        state: 'problem',
        says: 'EmailService-http5xx rings',
        todo: 'Sends fail & wait.',
      },
    ]);
  });

  it('is said to be unknown where AWS refuses to tell', async () => {
    const denied =
      '<ErrorResponse><Error><Code>AccessDenied</Code><Message>not authorized to perform: cloudwatch:DescribeAlarms</Message></Error></ErrorResponse>';

    const findings = await checkDeployment(
      deployment({
        ...stack,
        GetQueueAttributes: {
          status: 400,
          text: '{"__type":"com.amazonaws.sqs#AccessDenied","message":"no"}',
        },
        DescribeAlarms: { status: 403, text: denied },
      }),
    );

    expect(findings.slice(1)).toEqual([
      { check: 'queues', state: 'unknown', says: 'AWS refuses: no' },
      {
        check: 'alarms',
        state: 'unknown',
        says: 'AWS refuses: not authorized to perform: cloudwatch:DescribeAlarms',
      },
    ]);
  });
});

describe('what doctor finds of the signing key', () => {
  const secret = (text: string, versionId = 'by-hand') => ({
    read: async () => ({ text, versionId, createdAt: 0 }),
    write: unexpected('a change'),
  });
  const one = '1'.repeat(32);

  it.each([
    ['well', JSON.stringify({ current: 'k1', k1: one }), 'by-hand', 'ok', 'k1 signs, of 1 key'],
    [
      'half-way through a rotation',
      JSON.stringify({ current: 'k1', k1: one, k2: one }),
      'signing-key-add-k2-0123456789abcdef01234567',
      'problem',
      'k2 is added and does not sign yet',
    ],
    [
      'no JSON',
      'hush',
      'by-hand',
      'problem',
      'the signing key has a form that no function takes: sends fail',
    ],
  ])('is that it is %s', async (_, text, versionId, state, says) => {
    const findings = await checkSigningKey(secret(text, versionId));

    expect(findings).toEqual([expect.objectContaining({ check: 'tokens', state, says })]);
  });
});
