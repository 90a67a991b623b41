import * as z from 'zod';
import type { AwsAccount } from './aws-account.ts';
import { awsFailure, callQueryApi, elementsOf, textAt } from './query-api.ts';

type Caller = Pick<AwsAccount, 'call'>;

export type RingingAlarm = { readonly name: string; readonly description: string };

/** Those of the alarms that ring. At most 100 names. Source: CloudWatch API reference, "DescribeAlarms". */
export async function listRingingAlarms(
  account: Caller,
  names: readonly string[],
): Promise<readonly RingingAlarm[]> {
  if (names.length === 0) return [];
  const asked = names.map((name, index) => [`AlarmNames.member.${index + 1}`, name] as const);
  const answer = await callQueryApi(account, {
    service: 'monitoring',
    version: '2010-08-01',
    action: 'DescribeAlarms',
    parameters: { ...Object.fromEntries(asked), StateValue: 'ALARM', MaxRecords: '100' },
  });
  return elementsOf(answer, 'MetricAlarms')
    .flatMap((alarms) => alarms.children)
    .map((alarm) => ({
      name: textAt(alarm, 'AlarmName') ?? '',
      description: textAt(alarm, 'AlarmDescription') ?? '',
    }));
}

const attributesSchema = z.object({
  Attributes: z.object({ ApproximateNumberOfMessages: z.coerce.number() }),
});
const refusalSchema = z.object({ __type: z.string(), message: z.string().optional() });

/** How many messages wait in a queue, about. Source: SQS API reference, "GetQueueAttributes". */
export async function countWaiting(account: Caller, queueUrl: string): Promise<number> {
  const { status, text } = await account.call({
    service: 'sqs',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'AmazonSQS.GetQueueAttributes',
    },
    body: JSON.stringify({ QueueUrl: queueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
  });
  const body: unknown = JSON.parse(text);
  const answer = attributesSchema.safeParse(body);
  if (status === 200 && answer.success) return answer.data.Attributes.ApproximateNumberOfMessages;
  const { __type, message } = refusalSchema.safeParse(body).data ?? {};
  throw awsFailure(status, __type?.split('#').at(-1), message);
}
