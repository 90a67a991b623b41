import type { Context } from 'aws-lambda';

/** The context of an invocation that has its whole time left. */
export const lambdaContext = (): Context => ({
  callbackWaitsForEmptyEventLoop: false,
  functionName: 'function-under-test',
  functionVersion: '$LATEST',
  invokedFunctionArn: 'arn:aws:lambda:eu-west-1:123456789012:function:function-under-test',
  memoryLimitInMB: '256',
  awsRequestId: '5e7d1f60-0000-4000-8000-000000000000',
  logGroupName: '/aws/lambda/function-under-test',
  logStreamName: '2026/01/01/[$LATEST]0',
  getRemainingTimeInMillis: () => 30_000,
  done: () => {},
  fail: () => {},
  succeed: () => {},
});
