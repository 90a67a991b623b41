import type { AwsReplies } from './aws-account-builder.ts';

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

export const alarms = (...MetricAlarms: readonly object[]) => ({ body: { MetricAlarms } });

export const waiting = (count: number) => ({
  body: { Attributes: { ApproximateNumberOfMessages: `${count}` } },
});

export const sesAccount = (ProductionAccessEnabled: boolean) => ({
  body: {
    ...{ ProductionAccessEnabled, SendingEnabled: true, EnforcementStatus: 'HEALTHY' },
    PricingAttributes: { CurrentPlan: 'PRO' },
  },
});

/** What AWS answers of a stack that is well, action by action. */
export const soundStack: AwsReplies = {
  '/v2/email/account': sesAccount(true),
  ListStackResources: { body: resources },
  ListStackResourcespage2: { body: moreResources },
  GetQueueAttributes: waiting(0),
  DescribeAlarms: alarms(),
};
