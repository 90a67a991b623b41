import { identityEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { deletesDomain } from '#shared/identity/identity-rights';
import { exampleDomainId, resendDomainPath, resendDomainWords } from '#shared/resend/domains';
import { deletedSchema, managementDeclaration } from '#shared/resend/management';

export const endpoint = defineEndpoint({
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
  lambda: { environment: identityEnvironment, stack: 'Resend', ...deletesDomain },
  words: {
    section: 'Resend',
    summary: 'Delete a domain, as with Resend',
    description: 'Does what `DELETE /api/v1/domains/{domain}` does.',
    fields: resendDomainWords,
    example: { path: { id: 'news.example.com' } },
  },
});
