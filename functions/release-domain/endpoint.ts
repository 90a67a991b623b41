import * as z from 'zod/mini';
import { domainClaimReference } from '#shared/domains/domain-claim-view';
import { domainField } from '#shared/domains/domain-field';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds } from '#shared/tokens/example-values';
import { organizationIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint({
  route: 'DELETE /api/v1/domain-claims/{domain}',
  access: 'operator_secret',
  path: z.object({ domain: domainField }),
  unmatchedPath: 'domain_claim_not_found',
  query: z.strictObject({ organizationId: organizationIdSchema }),
  answers: { 204: { description: 'The domain is released.' } },
  errors: ['validation_failed', 'concurrent_change'],
  lambda: {
    stack: 'Organizations',
    tableActions: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
  words: {
    section: 'Operator',
    summary: 'Release a domain of an organization',
    description:
      'Ends the organization’s claim, vouch and ownership. Its sends from the domain are refused from then on, and the domain leaves SES within minutes, unless another organization wants it. The organization can set it again.',
    fields: domainClaimReference.fields,
    example: {
      path: { domain: 'news.example.com' },
      query: { organizationId: exampleIds.organization },
    },
  },
});
