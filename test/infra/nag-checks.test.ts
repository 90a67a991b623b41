import { NestedStack, Stack } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import { readDeploymentConfig } from '../../infra/constructs/deployment-config.ts';
import { addNagChecks } from '../../infra/constructs/nag-checks.ts';
import { EmailServiceStack } from '../../infra/email-service-stack.ts';
import { createApp } from './synthesised-stack.ts';

describe('cdk-nag', () => {
  it.each([
    { deployment: 'by default', context: {} },
    // Each of these adds to the stack, and changes nothing else in it: one synthesis shows them all.
    {
      deployment: 'with an entitlement service, tenants of SES and an alarm address',
      context: {
        entitlementsUrl: 'https://entitlements.example.com/check',
        entitlementsSecretArn:
          'arn:aws:secretsmanager:eu-west-1:123456789012:secret:entitlements-AbCdEf',
        sesTenants: true,
        alarmEmail: 'on-call@example.com',
      },
    },
  ])(
    "and CDK's own validation find nothing unacknowledged in the stack $deployment",
    ({ context }) => {
      const app = createApp(context, { validatesTemplates: true });
      addNagChecks(app);
      new EmailServiceStack(app, 'EmailService', readDeploymentConfig(app));

      const synthesise = () => app.synth();

      expect(synthesise).not.toThrow();
    },
  );

  it.each([
    { where: 'in the stack', inner: (stack: Stack) => stack },
    { where: 'in a nested stack', inner: (stack: Stack) => new NestedStack(stack, 'Nested') },
  ])('fails the synthesis of an app on a finding $where', ({ inner }) => {
    const app = createApp();
    addNagChecks(app);
    new Queue(inner(new Stack(app, 'EmailService')), 'QueueWithoutTlsOrDeadLetters');

    const synthesise = () => app.synth();

    expect(synthesise).toThrow(/AwsSolutions-SQS4/);
  });
});
