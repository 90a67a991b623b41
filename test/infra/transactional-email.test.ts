import { App, CfnOutput, NestedStack, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AccountRootPrincipal, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { endpointStackNames } from '#shared/endpoints/lambda';
import { apiKeyIdOf, newOrganizationId } from '#shared/tokens/resource-id';
import {
  TransactionalEmail,
  type TransactionalEmailProps,
} from '../../infra/transactional-email.ts';
import { buildApiKey } from '../support/api-key-builder.ts';
import { resourcesOfType, synthesiseStack } from './synthesised-stack.ts';

const templateShape = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string() })),
});

/** A stack of somebody else's app, which has none of this repository's feature flags. */
function shopStack(props: TransactionalEmailProps = {}) {
  const app = new App({
    builtinCloudFormationValidation: false,
    context: { 'aws:cdk:bundling-stacks': [], 'aws:cdk:disable-asset-staging': true },
  });
  const stack = new Stack(app, 'Shop');
  return { stack, email: new TransactionalEmail(stack, 'Email', props) };
}

describe('the construct in a stack of another app', () => {
  const { stack, email } = shopStack();
  new CfnOutput(stack, 'Where', { value: email.url });
  const template = Template.fromStack(stack);

  it('prefixes its outputs with its id', () => {
    const nested = Object.keys(template.findResources('AWS::CloudFormation::Stack'));
    const outputs = Object.keys(template.findOutputs('*'));

    expect(nested.toSorted()).toEqual(endpointStackNames.map((name) => `Email${name}`).toSorted());
    expect(outputs.toSorted()).toEqual([
      'EmailAlarmTopicArn',
      'EmailBaseUrl',
      'EmailOperatorSecretArn',
      'EmailPublicBaseUrl',
      'EmailSesPricePlan',
      'EmailTableName',
      'EmailTokenSigningKeyArn',
      'Where',
    ]);
  });

  it('has the same resources as the standalone stack', () => {
    const own = synthesiseStack();

    const types = (resources: readonly { readonly Type: string }[]) =>
      resources.map(({ Type }) => Type).toSorted();

    const inner = stack.node.findAll().filter((one) => NestedStack.isNestedStack(one));
    const resources = [template, ...inner.map((one) => Template.fromStack(one))].flatMap((one) =>
      Object.values(templateShape.parse(one.toJSON()).Resources),
    );
    expect(types(resources)).toEqual(types(own.resources));
  });

  it('exposes its alarms, topic, table, API, dashboard and URL', () => {
    const alarms = resourcesOfType(synthesiseStack(), 'AWS::CloudWatch::Alarm');

    expect(email.alarms).toHaveLength(alarms.length);
    expect(template.toJSON()['Outputs']['Where']).toEqual(
      template.toJSON()['Outputs']['EmailBaseUrl'],
    );
    for (const { node } of [email.alarmTopic, email.table, email.api, email.dashboard]) {
      expect(node.scopes).toContain(email);
    }
  });

  it('rejects a second one in the same stack', () => {
    const second = () => new TransactionalEmail(stack, 'Second');

    expect(second).toThrow('The stack Shop already has a TransactionalEmail');
  });

  it('takes settings as props, and names the malformed and unknown ones', () => {
    const given = (props: object) => () => shopStack(props);

    expect(given({ sendRetentionDays: 0 })).toThrow('sendRetentionDays');
    expect(given({ colour: 'blue' })).toThrow('"colour" isn\'t a setting');
  });
});

describe('grantSend', () => {
  const id = apiKeyIdOf(newOrganizationId(), 'a'.repeat(16));
  const { stack, email } = shopStack();
  const caller = new Role(stack, 'Caller', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
  });
  email.grantSend(caller, { apiKey: id });
  email.grantSend(new Role(stack, 'Other', { assumedBy: new AccountRootPrincipal() }), {
    apiKey: id,
  });
  const template = Template.fromStack(stack);

  it("allows exactly the key's route on the deployed stage", () => {
    const policies = Object.values(template.findResources('AWS::IAM::Policy'));

    expect(JSON.stringify(policies[0])).toContain(`/$default/POST/iam/${id}/emails/send"`);
    expect(JSON.stringify(policies[0])).toContain('"Action":"execute-api:Invoke","Effect":"Allow"');
    expect(stack.resolve(email.sendUrl(id))).toEqual({
      'Fn::Join': ['', [stack.resolve(email.url), `/iam/${id}/emails/send`]],
    });
  });

  it('creates one IAM-authorized route to send-email', () => {
    const guarded = template.findResources('AWS::ApiGatewayV2::Route', {
      Properties: { AuthorizationType: 'AWS_IAM' },
    });

    expect(Object.values(guarded)).toHaveLength(1);
    expect(JSON.stringify(guarded)).toContain('"RouteKey":"POST /iam/{apiKeyId}/emails/send"');
    expect(
      resourcesOfType(synthesiseStack(), 'AWS::ApiGatewayV2::Route').map(
        ({ Properties }) => Properties['AuthorizationType'],
      ),
    ).not.toContain('AWS_IAM');
  });

  it('accepts nothing but the id of a key', () => {
    const { text } = buildApiKey();

    for (const apiKey of [text, `${id}*`, 'key_*', '']) {
      expect(() => email.grantSend(caller, { apiKey })).toThrow('must be the id of an API key');
    }
  });
});
