import { defineEndpoint } from '#shared/endpoints/endpoint';
import { domainPath } from '#shared/endpoints/resource-paths';
import { domainAnswer, domainReference, readingWords } from '#shared/identity/identity-reference';
import { domainReads, readsDomains } from '#shared/identity/identity-upkeep';
import { readDomain } from '#shared/identity/set-domain';
import { showDomain } from '#shared/identity/show-identity';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/domains/{domain}',
    access: { key: 'required', scope: ['domains_read', 'manage_organization'] },
    ...domainPath,
    answers: { 200: domainAnswer },
    errors: ['provider_throttled', 'provider_unreachable'],
    uses: readsDomains,
    lambda: { stack: 'Domains', tableActions: domainReads },
    words: {
      section: 'Organization',
      summary: 'Read a domain, with its DNS records',
      description: readingWords,
      fields: domainReference.fields,
      example: { path: { domain: 'billing.example.com' } },
    },
  },
  async ({ caller, path }, reading) =>
    showDomain(await readDomain(reading.table, caller.organizationId, path.domain), reading),
);
