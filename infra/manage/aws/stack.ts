import type { AwsAccount } from './aws-account.ts';
import { callQueryApi, elementsOf, textAt } from './query-api.ts';

const api = { service: 'cloudformation', version: '2010-05-15' } as const;

/** The outputs of a stack, by name. */
export async function readStackOutputs(
  account: Pick<AwsAccount, 'call'>,
  stackName: string,
): Promise<Readonly<Record<string, string>>> {
  const parameters = { StackName: stackName };
  const answer = await callQueryApi(account, { ...api, action: 'DescribeStacks', parameters });
  const members = elementsOf(answer, 'Outputs').flatMap((outputs) => outputs.children);
  return Object.fromEntries(
    members.map((member) => [textAt(member, 'OutputKey'), textAt(member, 'OutputValue') ?? '']),
  );
}

export type StackResource = {
  readonly logicalId: string;
  readonly physicalId: string;
  readonly type: string;
};

/** What a stack itself holds, without what is in stacks nested in it. */
export async function listStackResources(
  account: Pick<AwsAccount, 'call'>,
  stackName: string,
): Promise<readonly StackResource[]> {
  const resources: StackResource[] = [];
  let next: string | undefined;
  do {
    const parameters = { StackName: stackName, ...(next !== undefined && { NextToken: next }) };
    const action = 'ListStackResources';
    const answer = await callQueryApi(account, { ...api, action, parameters });
    const members = elementsOf(answer, 'StackResourceSummaries').flatMap((one) => one.children);
    for (const member of members) {
      resources.push({
        logicalId: textAt(member, 'LogicalResourceId') ?? '',
        physicalId: textAt(member, 'PhysicalResourceId') ?? '',
        type: textAt(member, 'ResourceType') ?? '',
      });
    }
    next = textAt(answer, 'NextToken') || undefined;
  } while (next !== undefined);
  return resources;
}
