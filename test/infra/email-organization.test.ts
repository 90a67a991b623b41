import { CfnOutput, NestedStack, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { HostedZone } from 'aws-cdk-lib/aws-route53';
import { describe, expect, it } from 'vitest';
import { settingsSchema } from '../../functions/declare-organization/declare-organization.ts';
import type { EmailDomainProps } from '../../infra/email-organization.ts';
import { TransactionalEmail } from '../../infra/transactional-email.ts';
import { createApp } from './synthesised-stack.ts';

const settings = {
  name: 'The Shop',
  attachmentsEnabled: true,
  senderName: 'The Shop',
  replyTo: 'help@shop.example',
  footerText: 'Shop Street 1',
  unsubscribePageUrl: 'https://shop.example/unsubscribe',
  tracking: { opens: false, clicks: true },
  transactionalUnsubscribe: false,
  preferencesByAddress: false,
};

function shopWith(props: EmailDomainProps = {}) {
  const stack = new Stack(createApp(), 'Shop');
  const email = new TransactionalEmail(stack, 'Email');
  const shop = email.organization('Shop', settings);
  const zone = HostedZone.fromHostedZoneAttributes(stack, 'Zone', {
    hostedZoneId: 'Z0123456789EXAMPLE',
    zoneName: 'shop.example',
  });
  const domain = shop.domain(zone, props);
  return { stack, email, shop, zone, domain };
}

/** Of the functions that take domains out of SES. */
const statementsWith = (template: Template, action: string) =>
  Object.entries(template.findResources('AWS::IAM::Role'))
    .filter(([, role]) => JSON.stringify(role).includes(action))
    .map(([id]) => id);

describe('organization and domain', () => {
  const { stack, email, shop, zone, domain } = shopWith();
  for (const name of ['mail', 'news']) shop.domain(zone, { domainName: `${name}.shop.example` });
  const caller = new Role(stack, 'Caller', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
  });
  email.grantSend(caller, { organization: shop });
  new CfnOutput(stack, 'Url', { value: email.sendUrl(shop) });
  const template = Template.fromStack(stack);
  const records = domain.node.findAll().find((one) => NestedStack.isNestedStack(one));
  if (records === undefined) throw new Error('no records');
  const dns = Template.fromStack(records);

  // Another id is another organization to CloudFormation: what was declared before would be left. And Route 53 has a
  // record once: one of another id fails.
  it('keep their ids', () => {
    expect(Object.keys(template.findResources('Custom::EmailOrganization'))).toEqual([
      'EmailShopOrganization00B7431F',
    ]);
    expect(Object.keys(template.findResources('Custom::EmailDomain'))).toContain(
      'EmailShopshopexampleDomainE795E243',
    );
    expect(Object.keys(template.findResources('AWS::Lambda::Function'))).toEqual(
      expect.arrayContaining([
        'EmailFunctionsdeclareorganizationLambdaCA6A91E9',
        'EmailFunctionsdeclaredomainLambdaE8B4D5A0',
      ]),
    );
    expect(Object.keys(template.findResources('AWS::CloudFormation::Stack'))).toContain(
      'EmailShopshopexampleRecordsNestedStackRecordsNestedStackResourceC090471E',
    );
    expect(Object.keys(dns.findResources('AWS::Route53::RecordSet'))).toEqual([
      'Dkim1',
      'Dkim2',
      'Dkim3',
      'MailFromMx',
      'MailFromSpf',
      'Dmarc',
    ]);
  });

  it("stay when they hold data: CloudFormation doesn't delete the organization", () => {
    template.hasResource('Custom::EmailOrganization', { DeletionPolicy: 'Retain' });
    template.hasResource('Custom::EmailDomain', { DeletionPolicy: 'Delete' });
  });

  it('pass settings to the function, with the right types', () => {
    const [resource] = Object.values(template.findResources('Custom::EmailOrganization'));

    const { Settings } = resource?.['Properties'] ?? {};
    expect(settingsSchema.parse(JSON.parse(Settings))).toEqual(settings);
  });

  it('let a role send for the organization through its own route, whose key is known at deployment', () => {
    const key = { 'Fn::GetAtt': ['EmailShopOrganization00B7431F', 'ApiKeyId'] };

    const policies = JSON.stringify(template.findResources('AWS::IAM::Policy'));
    expect(policies).toContain(`"/$default/POST/iam/",${JSON.stringify(key)},"/emails/send"`);
    expect(JSON.stringify(template.findOutputs('Url'))).toContain(JSON.stringify(key));
  });

  it('publish each record that SES and DNS were found to lack', () => {
    const sets = Object.values(dns.findResources('AWS::Route53::RecordSet'));

    expect(sets.map(({ Condition, Properties: { Type } }) => `${Type} ${Condition}`)).toEqual([
      'CNAME Publishes',
      'CNAME Publishes',
      'CNAME Publishes',
      'MX Publishes',
      'TXT Publishes',
      'TXT PublishesDmarc',
    ]);
  });

  it('wait for SES after creating the records', () => {
    template.hasResource('Custom::EmailDomainVerified', {
      Properties: { WaitMinutes: 10 },
      DependsOn: Match.arrayWith([Match.stringLikeRegexp('RecordsNestedStack')]),
    });
  });

  it('are declared one domain after another, and wait for SES in parallel', () => {
    const declared = Object.entries(template.findResources('Custom::EmailDomain'));
    const dependencyOf = (resource: Record<string, unknown>) => resource['DependsOn'];
    expect(declared.map(([, resource]) => dependencyOf(resource))).toEqual([
      undefined,
      [declared[0]?.[0]],
      [declared[1]?.[0]],
    ]);
    const verified = Object.values(template.findResources('Custom::EmailDomainVerified'));
    const ids = declared.map(([id]) => id);
    expect(
      verified.map((one) =>
        ids.filter((id) => JSON.stringify(dependencyOf(one)).includes(`"${id}"`)),
      ),
    ).toEqual(ids.map((id) => [id]));
  });

  it('let no other function untag a domain', () => {
    expect(statementsWith(template, 'ses:UntagResource')).toEqual([
      'EmailFunctionsdeclaredomainRoleD416749E',
    ]);
  });
});

describe('a declared organization', () => {
  it('is deleted with its resource if the app says so', () => {
    const stack = new Stack(createApp(), 'Shop');
    const email = new TransactionalEmail(stack, 'Email');
    email.organization('Shop', { removalPolicy: RemovalPolicy.DESTROY });

    const template = Template.fromStack(stack);

    template.hasResource('Custom::EmailOrganization', {
      DeletionPolicy: 'Delete',
      Properties: { Settings: '{"name":"Shop"}' },
    });
    // No domain, no right on SES's.
    expect(statementsWith(template, 'declare-domain')).toEqual([]);
  });
});

describe('a declared domain', () => {
  const domainName = 'mail.shop.example';
  const { stack, shop } = shopWith({ domainName, waitMinutes: 0, adopt: true });
  const template = Template.fromStack(stack);

  it('may be a subdomain, skips waiting with waitMinutes 0, and needs a name known at synthesis', () => {
    template.hasResourceProperties('Custom::EmailDomain', { Domain: 'mail.shop.example' });
    template.resourceCountIs('Custom::EmailDomainVerified', 0);
    const unnamed = HostedZone.fromHostedZoneAttributes(stack, 'Unnamed', {
      hostedZoneId: 'Z1',
      zoneName: stack.region,
    });
    expect(() => shop.domain(unnamed)).toThrow('Set domainName');
  });

  it('may be given back, when adopted, by every function that removes domains from SES', () => {
    template.hasResourceProperties('Custom::EmailDomain', { Adopts: true });
    const own = statementsWith(template, 'ses:DeleteEmailIdentity');
    expect(own.length).toBeGreaterThan(1);
    expect(statementsWith(template, 'ses:UntagResource')).toEqual(own);
  });
});
