import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { resourceKey, trackingField } from '#shared/organizations/organization-fields';
import { examplePolicy, policyWords } from '#shared/organizations/policy-reference';
import { policyViewSchema } from '#shared/organizations/policy-view';

export const endpoint = defineEndpoint({
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
      tracking: 'For emails that don’t say it themselves. Turn it off for password resets.',
      keepsContent:
        '`false`: emails of this policy are never kept, whatever `keepContentDays` says. Right for sign-in links and codes.',
    },
    example: { path: { key: 'offers' }, body: { kind: 'bulk', categoryKey: 'offers' } },
  },
});
