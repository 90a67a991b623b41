import { NestedStack, Stack } from 'aws-cdk-lib';
import { HostedZone } from 'aws-cdk-lib/aws-route53';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, it } from 'vitest';
import { addNagChecks } from '../../infra/constructs/nag-checks.ts';
import { TransactionalEmail } from '../../infra/transactional-email.ts';
import { createApp, createStackIn, settings } from './synthesised-stack.ts';

function declareDomain(stack: Stack): void {
  const email = stack.node.findAll().find((one) => one instanceof TransactionalEmail);
  if (email === undefined) throw new Error('no service in the stack');
  const zone = { hostedZoneId: 'Z1', zoneName: 'shop.example' };
  email
    .organization('Shop')
    .domain(HostedZone.fromHostedZoneAttributes(stack, 'Zone', zone), { adopt: true });
}

describe('cdk-nag', () => {
  // By default nothing is either: else `npm run synth` fails.
  it("and CDK's own validation find nothing unacknowledged with every setting, and a domain", () => {
    const app = createApp(settings, { validatesTemplates: true });
    addNagChecks(app);
    declareDomain(createStackIn(app));

    const synthesise = () => app.synth();

    expect(synthesise).not.toThrow();
  });

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
