import { type AwsAccount, askAws } from './aws-account.ts';

const sdk = () => import('@aws-sdk/client-cloudformation');

/** By name. In another app's stack, each name starts with the construct's. */
export const readStackOutputs = (
  account: AwsAccount,
  stackName: string,
): Promise<Readonly<Record<string, string>>> =>
  askAws(async () => {
    const { CloudFormationClient, DescribeStacksCommand } = await sdk();
    const client = new CloudFormationClient(account);
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    const outputs = Stacks?.[0]?.Outputs ?? [];
    const [, prefix = ''] = outputs.flatMap(
      ({ OutputKey = '' }) => /^(.*)OperatorSecretArn$/.exec(OutputKey) ?? [],
    );
    return Object.fromEntries(
      outputs
        .filter(({ OutputKey }) => OutputKey?.startsWith(prefix))
        .map(({ OutputKey = '', OutputValue = '' }) => [
          OutputKey.slice(prefix.length),
          OutputValue,
        ]),
    );
  });

export type StackResource = {
  readonly logicalId: string;
  readonly physicalId: string;
  readonly type: string;
};

/** Without nested stacks. */
export const listStackResources = (
  account: AwsAccount,
  stackName: string,
): Promise<readonly StackResource[]> =>
  askAws(async () => {
    const { CloudFormationClient, paginateListStackResources } = await sdk();
    const client = new CloudFormationClient(account);
    const pages = paginateListStackResources({ client }, { StackName: stackName });
    const resources: StackResource[] = [];
    for await (const { StackResourceSummaries = [] } of pages) {
      for (const summary of StackResourceSummaries) {
        resources.push({
          logicalId: summary.LogicalResourceId ?? '',
          physicalId: summary.PhysicalResourceId ?? '',
          type: summary.ResourceType ?? '',
        });
      }
    }
    return resources;
  });

/** Source: SES API v2 reference, "GetAccount". */
export const readSendingAccount = (account: AwsAccount) =>
  askAws(async () => {
    const { SESv2Client, GetAccountCommand } = await import('@aws-sdk/client-sesv2');
    const answer = await new SESv2Client(account).send(new GetAccountCommand({}));
    return {
      region: account.region,
      hasProductionAccess: answer.ProductionAccessEnabled ?? false,
      isSendingEnabled: answer.SendingEnabled ?? false,
      enforcementStatus: answer.EnforcementStatus ?? 'unknown',
      pricePlan: answer.PricingAttributes?.CurrentPlan,
    };
  });

type RingingAlarm = { readonly name: string; readonly description: string };

/** At most 100 names. Source: CloudWatch API reference, "DescribeAlarms". */
export const listRingingAlarms = (
  account: AwsAccount,
  names: readonly string[],
): Promise<readonly RingingAlarm[]> =>
  askAws(async () => {
    // Without names, it would return all of the account's alarms.
    if (names.length === 0) return [];
    const { CloudWatchClient, DescribeAlarmsCommand } = await import('@aws-sdk/client-cloudwatch');
    const { MetricAlarms = [] } = await new CloudWatchClient(account).send(
      new DescribeAlarmsCommand({ AlarmNames: [...names], StateValue: 'ALARM', MaxRecords: 100 }),
    );
    return MetricAlarms.map(({ AlarmName = '', AlarmDescription = '' }) => ({
      name: AlarmName,
      description: AlarmDescription,
    }));
  });

/** Approximate. Source: SQS API reference, "GetQueueAttributes". */
export const countWaiting = (
  account: AwsAccount,
  queueUrls: readonly string[],
): Promise<readonly number[]> =>
  askAws(async () => {
    const { SQSClient, GetQueueAttributesCommand } = await import('@aws-sdk/client-sqs');
    const client = new SQSClient(account);
    const name = 'ApproximateNumberOfMessages';
    return Promise.all(
      queueUrls.map(async (QueueUrl) => {
        const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [name] });
        const { Attributes } = await client.send(command);
        return Number(Attributes?.[name]);
      }),
    );
  });
