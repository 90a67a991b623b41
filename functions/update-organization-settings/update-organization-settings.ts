import { type Authentication, authenticateManager } from '#shared/access/authenticate';
import { invalidField } from '#shared/errors/service-error';
import { mayAskForConfirmation } from '#shared/notices/confirmation';
import type { ConfirmationStore } from '#shared/notices/confirmation-store';
import {
  changeOrganization,
  type OrganizationChanging,
} from '#shared/organizations/change-organization';
import { findPolicy, type Organization, policyKeysOf } from '#shared/organizations/organization';
import { withAddressPending, withChanges } from '#shared/organizations/organization-settings';
import { newNonce } from '#shared/tokens/resource-id';
import type { UpdateOrganizationSettingsRequest } from './endpoint.ts';

export type SettingsChanging = Authentication &
  OrganizationChanging & {
    /** Of the deployment: no organization keeps its sends longer. */
    readonly sendRetentionDays: number;
    readonly confirmations: Pick<ConfirmationStore, 'requestBeside'>;
  };

/**
 * Changes settings of the key's organization. They count at the next send. A new address for notices is asked whether
 * it wants them, once the organization can send.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `concurrent_change`
 */
export async function updateOrganizationSettings(
  credential: string | undefined,
  parse: () => UpdateOrganizationSettingsRequest,
  changing: SettingsChanging,
): Promise<Organization> {
  const { organizationId, actor } = await authenticateManager(credential, changing);
  const request = parse();
  const most = changing.sendRetentionDays;
  if ((request.sendRetentionDays ?? 0) > most) {
    throw invalidField('sendRetentionDays', `must be at most ${most}, as the deployment has it`);
  }
  const addressVersion = newNonce();
  const change = (organization: Organization): Organization => {
    requireKnownPolicy(request.defaultPolicyKey, organization);
    return withAddressPending(organization, withChanges(organization, request), addressVersion);
  };
  const organization = await changeOrganization(organizationId, actor, change, changing);
  if (request.noticeEmail !== undefined && mayAskForConfirmation(organization)) {
    await changing.confirmations.requestBeside(organization, changing.now());
  }
  return organization;
}

function requireKnownPolicy(key: string | null | undefined, organization: Organization): void {
  if (key === undefined || key === null || findPolicy(organization, key) !== undefined) return;
  const known = policyKeysOf(organization).join(', ');
  throw invalidField('defaultPolicyKey', `no such policy: use one of ${known}`);
}
