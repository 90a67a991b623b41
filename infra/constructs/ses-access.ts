import { ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { IConfigurationSet } from 'aws-cdk-lib/aws-ses';
import { ownerTag } from '#shared/config/ses-settings';
import type { SesAction, TenantAction } from '#shared/endpoints/lambda';

const sesArn = (role: Role, resource: string, resourceName: string): string =>
  Stack.of(role).formatArn({
    service: 'ses',
    resource,
    resourceName,
    arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
  });

/**
 * SES checks the identity and the configuration set, and for `SendEmail` with raw content also `ses:SendRawEmail`
 * (anymail/django-anymail#384, aws/aws-actionmailer-ses-ruby#10). It isn't documented whether that also applies to
 * simple content with headers and attachments. A refusal would only show in production, and the second action permits
 * no more than the first.
 */
export function grantSendEmail(role: Role, configurationSet: IConfigurationSet): void {
  role.addToPolicy(
    new PolicyStatement({
      actions: ['ses:SendEmail', 'ses:SendRawEmail'],
      resources: [
        sesArn(role, 'identity', '*'),
        sesArn(role, 'configuration-set', configurationSet.configurationSetName),
      ],
    }),
  );
  acknowledgeIdentities(role);
}

/** These could harm domains that aren't the service's, so they require its tag. */
const onlyTagged: ReadonlySet<SesAction> = new Set([
  'DeleteEmailIdentity',
  'PutEmailIdentityFeedbackAttributes',
  'PutEmailIdentityMailFromAttributes',
  'UntagResource',
]);

/**
 * For the organizations' domains. Changing and deleting require the service's tag, and so does changing the tag, so the
 * account's other identities are out of reach. But creating one with tags needs `TagResource` without that condition: a
 * role that may create can also tag what isn't the service's.
 *
 * Source: Service Authorization Reference, "Amazon Simple Email Service v2".
 */
export function grantSesIdentities(role: Role, actions: readonly SesAction[]): void {
  const grant = (some: readonly SesAction[], resource: string, conditions?: object) => {
    if (some.length === 0) return;
    const named = some.map((action) => `ses:${action}`);
    role.addToPolicy(
      new PolicyStatement({
        actions: named,
        resources: [resource],
        ...(conditions && { conditions: { ...conditions } }),
      }),
    );
  };
  const isOnAccount = (action: SesAction) => action === 'GetAccount';
  const creates = actions.includes('CreateEmailIdentity');
  const needsTag = (action: SesAction) =>
    onlyTagged.has(action) || (action === 'TagResource' && !creates);
  const identities = sesArn(role, 'identity', '*');
  grant(
    actions.filter((action) => !isOnAccount(action) && !needsTag(action)),
    identities,
  );
  grant(actions.filter(needsTag), identities, {
    Null: { [`aws:ResourceTag/${ownerTag}`]: 'false' },
  });
  acknowledgeIdentities(role);
  if (!actions.some(isOnAccount)) return;
  grant(actions.filter(isOnAccount), '*');
  const reason = 'GetAccount reads what SES lets this account do. IAM knows no resource for it.';
  for (const id of ['AwsSolutions-IAM5[Resource::*]', 'Serverless-LambdaStarPermissions']) {
    Validations.of(role).acknowledge({ id, reason });
  }
}

/**
 * A tenant's name is its organization's id. For an association, SES checks tenant, domain and configuration set.
 *
 * Source: Service Authorization Reference, "Amazon Simple Email Service v2".
 */
export function grantSesTenants(
  role: Role,
  actions: readonly TenantAction[],
  configurationSet: IConfigurationSet,
): void {
  const tenants = sesArn(role, 'tenant', 'org_*');
  const isAssociation = (action: TenantAction) => action.endsWith('TenantResourceAssociation');
  const grant = (some: readonly TenantAction[], resources: string[]) => {
    const named = some.map((action) => `ses:${action}`);
    if (named.length > 0) role.addToPolicy(new PolicyStatement({ actions: named, resources }));
  };
  grant(
    actions.filter((action) => !isAssociation(action)),
    [tenants],
  );
  grant(actions.filter(isAssociation), [
    tenants,
    sesArn(role, 'identity', '*'),
    sesArn(role, 'configuration-set', configurationSet.configurationSetName),
  ]);
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:tenant/org_*]',
    reason:
      'Organizations become tenants while the service runs, each under its own id; other tenants of the account have other names.',
  });
}

function acknowledgeIdentities(role: Role): void {
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*]',
    reason:
      "Organizations bring their own domains while the service runs, so the identities have no list at deployment. Which one a send may use is decided by the organization's stored identity; the configuration set is fixed here.",
  });
}

/**
 * SES's suppression list is the account's, and its actions have no resource (Service Authorization Reference, "Actions
 * defined by Amazon Simple Email Service v2").
 */
export function grantSuppressedDestinations(
  role: Role,
  verbs: readonly ('Get' | 'Delete')[],
): void {
  role.addToPolicy(
    new PolicyStatement({
      actions: verbs.map((verb) => `ses:${verb}SuppressedDestination`),
      resources: ['*'],
    }),
  );
  for (const id of ['AwsSolutions-IAM5[Resource::*]', 'Serverless-LambdaStarPermissions']) {
    Validations.of(role).acknowledge({
      id,
      reason: "SES's own suppression list belongs to the account: its actions take no resource.",
    });
  }
}
