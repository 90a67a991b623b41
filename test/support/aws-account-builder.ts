import { Readable } from 'node:stream';
import { HttpRequest, HttpResponse } from '@smithy/core/protocols';
import type { AwsAccount } from '../../infra/manage/aws/aws-account.ts';
import { unexpected } from './unexpected.ts';

/** What AWS answers to an action: over HTTP, as JSON but for CloudFormation, which speaks XML. */
export type AwsReply = { readonly status?: number; readonly body: string | object };

export type AwsReplies = Readonly<Record<string, AwsReply>>;

/**
 * An account whose services give these answers, by the name of the action; a page that is not the first has the
 * token behind it. The SDK's own clients make the requests and read the answers.
 */
export function fakeAccount(replies: AwsReplies) {
  const asked: string[] = [];
  const handle = async (request: unknown) => {
    if (!HttpRequest.isInstance(request)) throw new Error('The SDK asks in another way');
    const { action, input } = readRequest(request);
    asked.push(`${action} ${input}`);
    const { status = 200, body } = replies[action] ?? unexpected(action)();
    const response = new HttpResponse({
      statusCode: status,
      headers: {},
      body: Readable.from([typeof body === 'string' ? body : JSON.stringify(body)]),
    });
    return { response };
  };
  const account: AwsAccount = {
    region: 'eu-west-1',
    credentials: { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'hush' },
    requestHandler: { handle },
  };
  return { account, asked };
}

function readRequest({ headers, path, body }: HttpRequest) {
  const input = body instanceof Uint8Array ? new TextDecoder().decode(body) : `${body ?? ''}`;
  const form = new URLSearchParams(input);
  const action = headers['x-amz-target']?.split('.')[1] ?? form.get('Action') ?? path;
  return { action: `${action}${form.get('NextToken') ?? ''}`, input };
}

/** CloudFormation's answer to DescribeStacks. */
export const outputsXml = (outputs: Readonly<Record<string, string>>): string =>
  `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/">
  <DescribeStacksResult><Stacks><member><StackName>Mail</StackName><Outputs>${Object.entries(
    outputs,
  )
    .map(
      ([name, value]) =>
        `<member><OutputKey>${name}</OutputKey>\n<OutputValue>${value}</OutputValue></member>`,
    )
    .join('')}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`;
