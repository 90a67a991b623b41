import { defineEndpoint } from '#shared/endpoints/endpoint';
import { domainRemovals, removesDomains } from '#shared/identity/identity-upkeep';
import { removeDomain } from '#shared/identity/set-domain';
import { exampleDomainId, resendDomainPath, resendDomainWords } from '#shared/resend/domains';
import { deleted, deletedSchema, managementDeclaration } from '#shared/resend/management';

export const endpoint = defineEndpoint(
  {
    ...managementDeclaration,
    route: 'DELETE /resend/domains/{id}',
    ...resendDomainPath,
    answers: {
      200: {
        body: deletedSchema('domain'),
        description: 'The domain is deleted.',
        example: { ...exampleDomainId, deleted: true },
      },
    },
    errors: ['rate_limited', 'concurrent_change', 'provider_throttled', 'provider_unreachable'],
    isLimited: true,
    uses: removesDomains,
    lambda: { stack: 'Resend', tableActions: domainRemovals },
    words: {
      section: 'Resend',
      summary: 'Delete a domain, as with Resend',
      description: 'Does what `DELETE /api/v1/domains/{domain}` does.',
      fields: resendDomainWords,
      example: { path: { id: 'news.example.com' } },
    },
  },
  async ({ path: { id }, ...request }, removing) => {
    await removeDomain({ ...request, path: { domain: id } }, removing);
    return deleted('domain', id);
  },
);
