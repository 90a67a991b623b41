import { type Authentication, authenticateManager } from '#shared/access/authenticate';
import { invalidField } from '#shared/errors/service-error';
import { changeOrganization } from '#shared/organizations/change-organization';
import type { Organization } from '#shared/organizations/organization';
import { resourceKey } from '#shared/organizations/organization-fields';
import {
  type GivenLimits,
  limitsInForce,
  requireRoom,
} from '#shared/organizations/organization-limits';
import type { OrganizationStore } from '#shared/organizations/organization-store';
import type { PolicyView } from '#shared/organizations/policy-view';
import type { CategoryManagementStore } from '#shared/preferences/category-management-store';
import type { PutPolicyRequest } from './endpoint.ts';

export type PolicyWriting = Authentication & {
  readonly policies: Pick<OrganizationStore, 'get' | 'replace'>;
  readonly categories: Pick<CategoryManagementStore, 'get'>;
  readonly limitsOfDeployment: GivenLimits;
};

/**
 * Stores a policy of the key's organization, or replaces the one of that key. It counts at the next send.
 *
 * @param parse reads the request, once the caller is known.
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`, `too_many_policies`,
 *   `concurrent_change`
 */
export async function putPolicy(
  credential: string | undefined,
  presentedKey: string | undefined,
  parse: () => PutPolicyRequest,
  { policies: organizations, categories, limitsOfDeployment, ...authentication }: PolicyWriting,
): Promise<PolicyView> {
  const { organizationId, actor } = await authenticateManager(credential, authentication);
  const policy = parse();
  const key = requireKey(presentedKey);
  const change = async (organization: Organization): Promise<Organization> => {
    const { categoryKey } = policy;
    const isKnown =
      categoryKey === undefined || (await categories.get(organizationId, categoryKey));
    if (!isKnown) throw invalidField('categoryKey', 'the organization has no such category');
    const policies = { ...organization.policies, [key]: policy };
    if (!Object.hasOwn(organization.policies, key)) {
      const limits = limitsInForce(organization.limits, limitsOfDeployment);
      requireRoom('policies', Object.keys(organization.policies).length, limits);
    }
    return { ...organization, policies };
  };
  const describe = (before: Organization) => ({
    action: 'policy.put',
    target: key,
    ...(before.policies[key] && { before: before.policies[key] }),
    after: policy,
  });
  await changeOrganization(
    organizationId,
    actor,
    change,
    { now: authentication.now, organizations },
    describe,
  );
  return { ...policy, key, builtIn: false };
}

function requireKey(presented: string | undefined): string {
  const key = resourceKey.safeParse(presented);
  if (key.success) return key.data;
  throw invalidField('key', key.error.issues[0]?.message ?? 'is not valid');
}
