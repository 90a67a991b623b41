import type { RequestTo } from '#shared/endpoints/endpoint';
import { invalidField } from '#shared/errors/service-error';
import { mayAskForConfirmation } from '#shared/notices/confirmation';
import type { ConfirmationStore } from '#shared/notices/confirmation-store';
import { putNotice } from '#shared/notices/notice-store';
import { noticeToFormerAddress } from '#shared/notices/sensitive-change';
import {
  changeOrganization,
  type OrganizationChanging,
} from '#shared/organizations/change-organization';
import {
  findPolicy,
  noticeEmailStateOf,
  type Organization,
  policyKeysOf,
  retentionDaysOf,
} from '#shared/organizations/organization';
import { withAddressPending, withChanges } from '#shared/organizations/organization-settings';
import { newNonce } from '#shared/tokens/resource-id';
import type { endpoint } from './endpoint.ts';

type SettingsChanging = OrganizationChanging & {
  readonly sendRetentionDays: number;
  readonly confirmations: Pick<ConfirmationStore, 'requestBeside'>;
};

/** A new address for notices gets a confirmation link as soon as the organization can send. */
export async function updateOrganizationSettings(
  { caller, body }: RequestTo<typeof endpoint>,
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
  const telling = { ...changing, organizations: tellingFormerAddress(changing.organizations) };
  const organization = await changeOrganization(organizationId, actor, change, telling);
  if (body.noticeEmail !== undefined && mayAskForConfirmation(organization)) {
    await changing.confirmations.requestBeside(organization, changing.now());
  }
  return organization;
}

type Organizations = SettingsChanging['organizations'];

/** The notice is stored with the change: later, nobody knows the address any more. */
const tellingFormerAddress = ({ get, replace }: Organizations): Organizations => ({
  get,
  replace: (before, after, entry) => {
    const isReplaced = before.noticeEmail !== after.noticeEmail;
    const wasTold = isReplaced && noticeEmailStateOf(before) === 'confirmed';
    const notice = wasTold && noticeToFormerAddress(entry, before.noticeEmail ?? '');
    return replace(before, after, entry, notice ? [putNotice(notice)] : []);
  },
});

/** Content is found by its send. */
function requireContentsWithin(
  organization: Organization,
  body: RequestTo<typeof endpoint>['body'],
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
  throw invalidField('defaultPolicyKey', `no such policy: use one of ${known}`);
}
