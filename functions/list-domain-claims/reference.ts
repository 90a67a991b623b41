import { domainClaimReference, exampleDomainClaim } from '#shared/domains/domain-claim-reference';
import type { EndpointReference } from '#shared/openapi/endpoint-reference';

export const reference = {
  ...domainClaimReference,
  summary: 'List the claims to domains',
  description: 'Newest first. Several organizations may want one domain; one of them owns it.',
  example: { query: { limit: '20' } },
  answers: {
    200: {
      description: 'A page of claims.',
      example: { data: [exampleDomainClaim], nextCursor: null },
    },
  },
} as const satisfies EndpointReference;
