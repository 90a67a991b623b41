import * as z from 'zod/mini';
import { domainField } from '#shared/domains/domain-field';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { domainReference, exampleDomain } from '#shared/identity/identity-reference';
import { looksAfterTenants } from '#shared/identity/identity-rights';
import { domainViewSchema } from '#shared/identity/identity-view';

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/domains/{domain}',
  access: { key: 'required', scope: 'manage_organization' },
  path: z.object({ domain: domainField }),
  unmatchedPath: 'domain_not_found',
  answers: {
    200: {
      body: domainViewSchema,
      description: 'The domain, and what DNS has of its records.',
      example: exampleDomain,
    },
  },
  errors: ['domain_not_found', 'provider_throttled'],
  lambda: {
    stack: 'Domains',
    tableActions: [
      'GetItem',
      'BatchGetItem',
      'Query',
      'ConditionCheckItem',
      'PutItem',
      'UpdateItem',
    ],
    sesActions: [
      'GetEmailIdentity',
      'TagResource',
      'PutEmailIdentityFeedbackAttributes',
      'PutEmailIdentityMailFromAttributes',
      'GetAccount',
    ],
    tenantActions: looksAfterTenants,
    wakesWebhookQueue: true,
  },
  words: {
    section: 'Organization',
    summary: 'Read a domain, with its DNS records',
    description:
      'Asks DNS each time, and SES at most every 30 seconds. The service also checks by itself, less and less often, and webhooks get `identity.active`.',
    fields: domainReference.fields,
    example: { path: { domain: 'billing.example.com' } },
  },
});
