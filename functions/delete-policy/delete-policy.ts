import { defineEndpoint } from '#shared/endpoints/endpoint';
import { policyPath } from '#shared/endpoints/resource-paths';
import { ServiceError } from '#shared/errors/service-error';
import { changeOrganization } from '#shared/organizations/change-organization';
import { findPolicy, type Organization } from '#shared/organizations/organization';
import { policyWords } from '#shared/organizations/policy-reference';

export const endpoint = defineEndpoint(
  {
    route: 'DELETE /api/v1/policies/{key}',
    access: { key: 'required', scope: 'manage_organization' },
    ...policyPath,
    answers: { 204: { description: 'The policy is deleted.' } },
    errors: ['policy_in_use', 'concurrent_change'],
    isLimited: true,
    lambda: { stack: 'Account', tableActions: ['GetItem', 'PutItem', 'UpdateItem'] },
    words: {
      section: 'Organization',
      summary: 'Delete a policy',
      description: 'A built-in policy that it replaced applies again.',
      fields: policyWords,
      example: { path: { key: 'offers' } },
    },
  },
  // If it replaced a built-in policy, that applies again.
  async ({ caller, path: { key } }, { table, now }) => {
    const change = (organization: Organization): Organization => {
      if (!Object.hasOwn(organization.policies, key)) throw new ServiceError('policy_not_found');
      const { [key]: _, ...policies } = organization.policies;
      const after = { ...organization, policies };
      const isDefault = organization.defaultPolicyKey === key;
      if (isDefault && findPolicy(after, key) === undefined)
        throw new ServiceError('policy_in_use');
      return after;
    };
    const describe = (before: Organization) => ({
      action: 'policy.deleted',
      target: key,
      ...(before.policies[key] && { before: before.policies[key] }),
    });
    await changeOrganization(
      caller.organizationId,
      caller.actor,
      change,
      { table, now },
      { describe },
    );
  },
);
