import { defineEndpoint } from '#shared/endpoints/endpoint';
import { domainPath } from '#shared/endpoints/resource-paths';
import { domainReference } from '#shared/identity/identity-reference';
import { domainRemovals, removesDomains } from '#shared/identity/identity-upkeep';
import { removeDomain } from '#shared/identity/set-domain';

export const endpoint = defineEndpoint(
  {
    route: 'DELETE /api/v1/domains/{domain}',
    access: { key: 'required', scope: 'manage_organization' },
    ...domainPath,
    answers: { 204: { description: 'The domain is deleted.' } },
    errors: ['rate_limited', 'concurrent_change', 'provider_throttled', 'provider_unreachable'],
    isLimited: true,
    uses: removesDomains,
    lambda: { stack: 'Domains', tableActions: domainRemovals },
    words: {
      section: 'Organization',
      summary: 'Delete a domain of the organization',
      description:
        'Sends from it are then refused. Without a default domain, so are sends without a From address: make another domain the default first. Deleting a domain that is waiting to replace the default leaves the earlier one in use. Another organization can then prove that it owns the domain.',
      fields: { domain: domainReference.fields.domain },
      example: { path: { domain: 'billing.example.com' } },
    },
  },
  removeDomain,
);
