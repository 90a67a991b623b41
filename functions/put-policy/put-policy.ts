import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { invalidField } from '#shared/errors/service-error';
import { changeOrganization } from '#shared/organizations/change-organization';
import { limitsInForce, requireBelowLimit } from '#shared/organizations/limits-in-force';
import type { Organization } from '#shared/organizations/organization';
import { resourceKey, trackingField } from '#shared/organizations/organization-fields';
import { examplePolicy, policyWords } from '#shared/organizations/policy-reference';
import { policyViewSchema } from '#shared/organizations/policy-view';
import { getCategory } from '#shared/preferences/category-store';

export const endpoint = defineEndpoint(
  {
    route: 'PUT /api/v1/policies/{key}',
    access: { key: 'required', scope: 'manage_organization' },
    path: z.object({ key: resourceKey }),
    body: z.strictObject({
      kind: z.enum(['transactional', 'bulk']),
      categoryKey: z.exactOptional(resourceKey),
      tracking: z.exactOptional(trackingField),
      keepsContent: z.exactOptional(z.boolean()),
    }),
    answers: {
      200: {
        body: policyViewSchema,
        description: 'The policy as it is now.',
        example: examplePolicy,
      },
    },
    errors: ['too_many_policies', 'concurrent_change'],
    isLimited: true,
    lambda: {
      stack: 'Account',
      tableActions: ['GetItem', 'ConditionCheckItem', 'PutItem', 'UpdateItem'],
    },
    words: {
      section: 'Organization',
      summary: 'Create or replace a policy',
      description: 'A policy named `transactional` or `bulk` replaces the built-in one.',
      fields: {
        ...policyWords,
        tracking: 'For emails that don’t set it themselves. Turn it off for password resets.',
        keepsContent:
          '`false`: emails of this policy are never kept, whatever `keepContentDays` says. Use it for sign-in links and codes.',
      },
      example: { path: { key: 'offers' }, body: { kind: 'bulk', categoryKey: 'offers' } },
    },
  },
  // Applies from the next send on.
  async ({ caller, path: { key }, body: policy }, { table, now, limitsOfDeployment }) => {
    const { organizationId, actor } = caller;
    const change = async (organization: Organization): Promise<Organization> => {
      const { categoryKey } = policy;
      const isKnown =
        categoryKey === undefined || (await getCategory(table, organizationId, categoryKey));
      if (!isKnown) throw invalidField('categoryKey', 'the organization has no such category');
      const policies = { ...organization.policies, [key]: policy };
      if (!Object.hasOwn(organization.policies, key)) {
        const limits = limitsInForce(organization.limits, limitsOfDeployment);
        requireBelowLimit('policies', Object.keys(organization.policies).length, limits);
      }
      return { ...organization, policies };
    };
    const describe = (before: Organization) => ({
      action: 'policy.put',
      target: key,
      ...(before.policies[key] && { before: before.policies[key] }),
      after: policy,
    });
    await changeOrganization(organizationId, actor, change, { table, now }, { describe });
    return { ...policy, key, builtIn: false };
  },
);
