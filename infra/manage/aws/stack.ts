import { askAws } from './ask-aws.ts';
import type { AwsAccount } from './aws-account.ts';

const sdk = () => import('@aws-sdk/client-cloudformation');

/** The outputs of a stack, by name. */
export const readStackOutputs = (
  account: AwsAccount,
  stackName: string,
): Promise<Readonly<Record<string, string>>> =>
  askAws(async () => {
    const { CloudFormationClient, DescribeStacksCommand } = await sdk();
    const client = new CloudFormationClient(account);
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: stackName }));
    const outputs = Stacks?.[0]?.Outputs ?? [];
    return Object.fromEntries(
      outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]),
    );
  });

export type StackResource = {
  readonly logicalId: string;
  readonly physicalId: string;
  readonly type: string;
};

/** What a stack itself holds, without what is in stacks nested in it. */
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
