import { defineEndpoint } from '#shared/endpoints/endpoint';
import { policyPath } from '#shared/endpoints/resource-paths';
import { policyWords } from '#shared/organizations/policy-reference';

export const endpoint = defineEndpoint({
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
});
