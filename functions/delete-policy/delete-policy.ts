import { type Authentication, authenticateManager } from '#shared/access/authenticate';
import { changeOrganization } from '#shared/organizations/change-organization';
import { findPolicy, type Organization } from '#shared/organizations/organization';
import type { OrganizationStore } from '#shared/organizations/organization-store';
import { policyInUse, policyNotFound } from '#shared/organizations/policy-refusals';

/**
 * Deletes a policy of the key's organization. Where it stood in the place of a built-in policy, that one
 * counts again.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `policy_not_found`, `policy_in_use`,
 *   `concurrent_change`
 */
export async function deletePolicy(
  credential: string | undefined,
  key: string | undefined,
  {
    policies: organizations,
    ...authentication
  }: Authentication & { policies: Pick<OrganizationStore, 'get' | 'replace'> },
): Promise<void> {
  const { organizationId, actor } = await authenticateManager(credential, authentication);
  const target = key ?? '';
  const change = (organization: Organization): Organization => {
    if (!Object.hasOwn(organization.policies, target)) throw policyNotFound();
    const { [target]: _, ...policies } = organization.policies;
    const after = { ...organization, policies };
    const isDefault = organization.defaultPolicyKey === target;
    if (isDefault && findPolicy(after, target) === undefined) throw policyInUse();
    return after;
  };
  const describe = (before: Organization) => ({
    action: 'policy.deleted',
    target,
    ...(before.policies[target] && { before: before.policies[target] }),
  });
  await changeOrganization(
    organizationId,
    actor,
    change,
    { now: authentication.now, organizations },
    describe,
  );
}
