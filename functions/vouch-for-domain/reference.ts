import { domainClaimReference, exampleDomainClaim } from '#shared/domains/domain-claim-reference';
import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds } from '#shared/openapi/example-values';

export const reference = {
  ...domainClaimReference,
  summary: 'Vouch for an organization and a domain',
  description:
    'The organization then needs no TXT record. It counts as one: a domain whose owner has its own record, or is vouched for too, stays that one’s. A vouch that is not used ends after 30 days; so does one for a domain that the organization takes away.',
  example: { body: { domain: 'news.example.com', organizationId: exampleIds.organization } },
  answers: { 200: { description: 'The claim as it is now.', example: exampleDomainClaim } },
  errors: ['organization_not_found', 'concurrent_change'],
} as const satisfies EndpointReference;
