import { organizationOf } from '#shared/access/admit-caller';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { policyPath } from '#shared/endpoints/resource-paths';
import { ServiceError } from '#shared/errors/service-error';
import { examplePolicy, policyWords } from '#shared/organizations/policy-reference';
import { policyViewOf, policyViewSchema } from '#shared/organizations/policy-view';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/policies/{key}',
    access: { key: 'required', scope: ['settings_read', 'manage_organization'] },
    ...policyPath,
    answers: {
      200: {
        body: policyViewSchema,
        description: 'The policy.',
        example: examplePolicy,
      },
    },
    lambda: { stack: 'Account', tableActions: ['GetItem'] },
    words: {
      section: 'Organization',
      summary: 'Read a policy',
      description: 'One of the organization’s own, or a built-in one.',
      fields: policyWords,
      example: { path: { key: 'offers' } },
    },
  },
  async ({ caller, path }, { table }) => {
    const policy = policyViewOf(await organizationOf(table, caller), path.key);
    if (policy === undefined) throw new ServiceError('policy_not_found');
    return policy;
  },
);
