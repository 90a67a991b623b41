import { defineEndpoint } from '#shared/endpoints/endpoint';
import { domainPath } from '#shared/endpoints/resource-paths';
import { domainAnswer, domainReference } from '#shared/identity/identity-reference';
import { changeErrors, changesDomains, domainChanges } from '#shared/identity/identity-upkeep';
import { verifyDomain } from '#shared/identity/set-domain';

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/domains/{domain}/verify',
    access: { key: 'required', scope: 'manage_organization' },
    ...domainPath,
    answers: { 200: domainAnswer },
    errors: [...changeErrors],
    isLimited: true,
    uses: changesDomains,
    lambda: { stack: 'Domains', tableActions: domainChanges },
    words: {
      section: 'Organization',
      summary: 'Verify a domain now',
      description:
        'Asks DNS and SES at once. If SES or the service has given up on the domain, the search for its records starts over. To watch progress, read the domain instead: reading doesn’t count as a change.',
      fields: domainReference.fields,
      example: { path: { domain: 'billing.example.com' } },
    },
  },
  verifyDomain,
);
