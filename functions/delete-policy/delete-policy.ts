import type { RequestTo } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import {
  changeOrganization,
  type OrganizationChanging,
} from '#shared/organizations/change-organization';
import { findPolicy, type Organization } from '#shared/organizations/organization';
import type { endpoint } from './endpoint.ts';

/** If it replaced a built-in policy, that applies again. */
export async function deletePolicy(
  { caller, path: { key } }: RequestTo<typeof endpoint>,
  changing: OrganizationChanging,
): Promise<void> {
  const change = (organization: Organization): Organization => {
    if (!Object.hasOwn(organization.policies, key)) throw new ServiceError('policy_not_found');
    const { [key]: _, ...policies } = organization.policies;
    const after = { ...organization, policies };
    const isDefault = organization.defaultPolicyKey === key;
    if (isDefault && findPolicy(after, key) === undefined) throw new ServiceError('policy_in_use');
    return after;
  };
  const describe = (before: Organization) => ({
    action: 'policy.deleted',
    target: key,
    ...(before.policies[key] && { before: before.policies[key] }),
  });
  await changeOrganization(caller.organizationId, caller.actor, change, changing, describe);
}
