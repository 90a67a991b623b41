import { ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import type { Role } from 'aws-cdk-lib/aws-iam';
import type { IConfigurationSet } from 'aws-cdk-lib/aws-ses';
import { ownerTag } from '#shared/config/ses-settings';
import type { SesAction, TenantAction } from '#shared/endpoints/lambda';
import { acknowledgeAnyResource, allow } from './function-access.ts';

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
  grant(
    role,
    ['SendEmail', 'SendRawEmail'],
    [
      sesArn(role, 'identity', '*'),
      sesArn(role, 'configuration-set', configurationSet.configurationSetName),
    ],
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
  const isOnAccount = (action: SesAction) => action === 'GetAccount';
  const creates = actions.includes('CreateEmailIdentity');
  const needsTag = (action: SesAction) =>
    onlyTagged.has(action) || (action === 'TagResource' && !creates);
  const identities = sesArn(role, 'identity', '*');
  const untagged = actions.filter((action) => !isOnAccount(action) && !needsTag(action));
  grant(role, untagged, [identities]);
  grant(role, actions.filter(needsTag), [identities], {
    Null: { [`aws:ResourceTag/${ownerTag}`]: 'false' },
  });
  acknowledgeIdentities(role);
  if (!actions.some(isOnAccount)) return;
  grant(role, actions.filter(isOnAccount), ['*']);
  acknowledgeAnyResource(
    role,
    'GetAccount reads what SES lets this account do, and IAM defines no resource for it.',
  );
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
  const others = actions.filter((action) => !isAssociation(action));
  grant(role, others, [tenants]);
  grant(role, actions.filter(isAssociation), [
    tenants,
    sesArn(role, 'identity', '*'),
    sesArn(role, 'configuration-set', configurationSet.configurationSetName),
  ]);
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:tenant/org_*]',
    reason:
      'Organizations become tenants while the service runs, each under its own id. Other tenants in the account have different names.',
  });
}

const grant = (
  role: Role,
  actions: readonly string[],
  resources: readonly string[],
  conditions?: Record<string, unknown>,
): void =>
  allow(
    role,
    actions.map((action) => `ses:${action}`),
    resources,
    conditions,
  );

function acknowledgeIdentities(role: Role): void {
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ses:<AWS::Region>:<AWS::AccountId>:identity/*]',
    reason:
      "Organizations add their own domains while the service runs, so the identities aren't known at deployment. The organization's stored identity decides which one a send may use; the configuration set is fixed here.",
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
  const actions = verbs.map((verb) => `${verb}SuppressedDestination`);
  grant(role, actions, ['*']);
  acknowledgeAnyResource(
    role,
    "SES's own suppression list belongs to the account: its actions take no resource.",
  );
}
