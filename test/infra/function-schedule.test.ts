import { describe, expect, it } from 'vitest';
import { functionPath, resourceAt, resourcesOfType, synthesiseStack } from './synthesised-stack.ts';

const stack = synthesiseStack();

describe.each([
  { name: 'retry-due-webhooks', path: 'WebhookDelivery/Schedule', rate: '1 minute', seconds: 60 },
  { name: 'check-identities', path: 'IdentityChecks/Schedule', rate: '5 minutes', seconds: 300 },
])('the schedule of $name', ({ name, path, rate, seconds }) => {
  const run = resourceAt(stack, functionPath(name, 'Lambda'));
  const role = resourceAt(stack, `${path}/Role`);
  const schedule = resourceAt(stack, `${path}/Rate`);

  it('invokes the function at its rate, as a run that needs no secret', () => {
    expect(schedule.Properties).toMatchObject({
      ScheduleExpression: `rate(${rate})`,
      FlexibleTimeWindow: { Mode: 'OFF' },
      State: 'ENABLED',
      Target: {
        Arn: { 'Fn::GetAtt': [run.logicalId, 'Arn'] },
        RoleArn: { 'Fn::GetAtt': [role.logicalId, 'Arn'] },
        Input: '{"scheduledRun":true}',
      },
    });
  });

  it("doesn't retry a run that the next one makes up for", () => {
    const invocations = resourcesOfType(stack, 'AWS::Lambda::EventInvokeConfig').find(
      ({ Properties }) => JSON.stringify(Properties).includes(`"${run.logicalId}"`),
    );

    expect(schedule.Properties['Target']).toMatchObject({
      RetryPolicy: { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: seconds },
    });
    expect(invocations?.Properties).toMatchObject({
      FunctionName: { Ref: run.logicalId },
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: seconds,
    });
  });

  it('leaves no group behind whose name would conflict at the next deployment', () => {
    const group = resourceAt(stack, `${path}/Group`);

    expect(group).toMatchObject({ DeletionPolicy: 'Delete' });
  });

  it('may only invoke this function', () => {
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

  it('lets only schedules in its own group use its role', () => {
    const group = resourceAt(stack, `${path}/Group`);

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
    expect(schedule.Properties['GroupName']).toBe(group.Properties['Name']);
  });
});
