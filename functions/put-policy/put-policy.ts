import type { RequestTo } from '#shared/endpoints/endpoint';
import { invalidField } from '#shared/errors/service-error';
import { changeOrganization } from '#shared/organizations/change-organization';
import type { Organization } from '#shared/organizations/organization';
import {
  type GivenLimits,
  limitsInForce,
  requireRoom,
} from '#shared/organizations/organization-limits';
import type { OrganizationStore } from '#shared/organizations/organization-store';
import type { PolicyView } from '#shared/organizations/policy-view';
import type { CategoryStore } from '#shared/preferences/category-store';
import type { endpoint } from './endpoint.ts';

type PolicyWriting = {
  readonly now: () => number;
  readonly organizations: Pick<OrganizationStore, 'get' | 'replace'>;
  readonly categories: Pick<CategoryStore, 'get'>;
  readonly limitsOfDeployment: GivenLimits;
};

/** Applies from the next send on. */
export async function putPolicy(
  { caller, path: { key }, body: policy }: RequestTo<typeof endpoint>,
  { now, organizations, categories, limitsOfDeployment }: PolicyWriting,
): Promise<PolicyView> {
  const { organizationId, actor } = caller;
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
  await changeOrganization(organizationId, actor, change, { now, organizations }, describe);
  return { ...policy, key, builtIn: false };
}
