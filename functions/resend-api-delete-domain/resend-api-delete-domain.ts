import { identityEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { openIdentityManagement } from '#shared/identity/identity-management';
import { deletesDomain } from '#shared/identity/identity-rights';
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
    uses: openIdentityManagement,
    lambda: { environment: identityEnvironment, stack: 'Resend', ...deletesDomain },
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
