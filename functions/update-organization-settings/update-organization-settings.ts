import * as z from 'zod/mini';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { knowsRetention } from '#shared/aws/settings';
import { addressField } from '#shared/contacts/address-field';
import { changesOf } from '#shared/endpoints/changes-of';
import { defineEndpoint, type RequestTo } from '#shared/endpoints/endpoint';
import { invalidField } from '#shared/errors/service-error';
import { mayAskForConfirmation } from '#shared/notices/confirmation';
import { requestConfirmationBeside } from '#shared/notices/confirmation-store';
import { putNotice } from '#shared/notices/notice-store';
import { noticeToFormerAddress } from '#shared/notices/sensitive-change';
import { changeOrganization } from '#shared/organizations/change-organization';
import {
  findPolicy,
  type Organization,
  policyKeysOf,
  retentionDaysOf,
} from '#shared/organizations/organization';
import {
  footerText,
  organizationName,
  resourceKey,
  senderName,
  trackingField,
  unsubscribePageUrl,
} from '#shared/organizations/organization-fields';
import { exampleSettings } from '#shared/organizations/organization-reference';
import {
  organizationSettingsSchema,
  settingsOf,
  withAddressPending,
  withChanges,
} from '#shared/organizations/organization-settings';
import { keptDays } from '#shared/stored-content/content-lifetimes';
import type { TableAndClock } from '#shared/table/table-client';
import { newNonce } from '#shared/tokens/resource-id';

const removable = <Field extends z.ZodMiniType>(field: Field) => z.exactOptional(z.nullable(field));

const keptDaysError = `must be one of ${keptDays.join(', ')}: the bucket has a deletion rule for each`;

type SettingsChanging = TableAndClock & {
  readonly sendRetentionDays: number;
};

const declaration = defineEndpoint({
  route: 'PATCH /api/v1/organization',
  access: {
    key: 'required',
    scope: 'manage_organization',
    freshSession: ['replyTo', 'noticeEmail', 'unsubscribePageUrl', 'keylessReading'],
  },
  body: changesOf(
    {
      name: z.exactOptional(organizationName),
      senderName: removable(senderName),
      replyTo: removable(addressField),
      noticeEmail: removable(addressField),
      footerText: removable(footerText),
      unsubscribePageUrl: removable(unsubscribePageUrl),
      defaultPolicyKey: removable(resourceKey),
      tracking: removable(trackingField),
      transactionalUnsubscribe: z.exactOptional(z.boolean()),
      keylessReading: z.exactOptional(z.boolean()),
      preferencesByAddress: removable(z.boolean()),
      sendRetentionDays: removable(z.int().check(z.gte(1))),
      keepContentDays: removable(z.literal(keptDays, { error: keptDaysError })),
      keepRefusedShapes: z.exactOptional(z.boolean()),
    },
    'give at least one of the fields to change',
  ),
  answers: {
    200: {
      body: organizationSettingsSchema,
      description: 'The settings as they are now.',
      example: exampleSettings,
    },
  },
  errors: ['concurrent_change'],
  isLimited: true,
  uses: { sendRetentionDays: knowsRetention },
  lambda: {
    stack: 'Account',
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
  },
  words: {
    section: 'Organization',
    summary: 'Change the settings of the organization',
    description:
      "Changes only the fields in the request. `null` removes a setting; `name`, `keylessReading` and `transactionalUnsubscribe` can't be removed. Changes apply from the next send on.",
    fields: {
      keepContentDays: `For how many days the contents of emails are kept, to be shown and sent again: ${keptDays.join(', ')}. The bucket has a deletion rule for each. Without it, they aren’t kept. At most as long as the sends.`,
    },
    example: { body: { senderName: 'Example Ltd', replyTo: 'help@example.com' } },
  },
});

export const endpoint = defineEndpoint(declaration, async (request, capability) =>
  settingsOf(await updateOrganizationSettings(request, capability)),
);

/** A new address for notices gets a confirmation link as soon as the organization can send. */
export async function updateOrganizationSettings(
  { caller, body }: RequestTo<typeof declaration>,
  changing: SettingsChanging,
): Promise<Organization> {
  const most = changing.sendRetentionDays;
  if ((body.sendRetentionDays ?? 0) > most) {
    throw invalidField('sendRetentionDays', `must be at most ${most}, the limit of the deployment`);
  }
  const addressVersion = newNonce();
  const change = (organization: Organization): Organization => {
    requireKnownPolicy(body.defaultPolicyKey, organization);
    const changed = withChanges(organization, body);
    requireContentsWithin(changed, body, most);
    return withAddressPending(organization, changed, addressVersion);
  };
  const { organizationId, actor } = caller;
  const organization = await changeOrganization(organizationId, actor, change, changing, {
    alsoWritten: noticeToReplacedAddress,
  });
  if (body.noticeEmail !== undefined && mayAskForConfirmation(organization)) {
    await requestConfirmationBeside(changing.table, organization, changing.now());
  }
  return organization;
}

/** The notice is stored with the change, since the address is gone afterwards. */
function noticeToReplacedAddress(before: Organization, after: Organization, entry: AuditEntry) {
  const isReplaced = before.noticeEmail !== after.noticeEmail;
  if (!isReplaced || before.noticeEmailState !== 'confirmed') return [];
  const notice = noticeToFormerAddress(entry, before.noticeEmail ?? '');
  return notice ? [putNotice(notice)] : [];
}

/** Content is found by its send. */
function requireContentsWithin(
  organization: Organization,
  body: RequestTo<typeof declaration>['body'],
  deploymentDays: number,
): void {
  const { keepContentDays = 0 } = organization;
  const days = retentionDaysOf(organization, deploymentDays);
  if (keepContentDays <= days) return;
  if ((body.keepContentDays ?? 0) > days) {
    throw invalidField('keepContentDays', `must be at most ${days}, the days that sends are kept`);
  }
  if (body.sendRetentionDays !== undefined) {
    const message = `must be at least ${keepContentDays}, the days that contents are kept: set keepContentDays as well`;
    throw invalidField('sendRetentionDays', message);
  }
}

function requireKnownPolicy(key: string | null | undefined, organization: Organization): void {
  if (key === undefined || key === null || findPolicy(organization, key) !== undefined) return;
  const known = policyKeysOf(organization).join(', ');
  throw invalidField('defaultPolicyKey', `unknown policy: use one of ${known}`);
}
