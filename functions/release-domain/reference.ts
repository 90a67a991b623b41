import { domainClaimReference } from '#shared/domains/domain-claim-reference';
import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds } from '#shared/openapi/example-values';

export const reference = {
  ...domainClaimReference,
  summary: 'Release a domain of an organization',
  description:
    'Ends claim, vouch and ownership of this organization. Its sends from the domain are refused from then on; the domain is out of SES within minutes, unless another organization wants it. The organization may set it again.',
  example: {
    path: { domain: 'news.example.com' },
    query: { organizationId: exampleIds.organization },
  },
  answers: { 204: { description: 'The domain is released.' } },
  errors: ['validation_failed', 'domain_claim_not_found', 'concurrent_change'],
} as const satisfies EndpointReference;
