import * as z from 'zod/mini';
import { domainField } from '#shared/domains/domain-field';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { deletesDomain } from '#shared/identity/identity-rights';
import { exampleDomainId, resendDomainWords } from '#shared/resend/domains';
import { deletedSchema, resendDeclaration } from '#shared/resend/resend-declaration';

export const endpoint = defineEndpoint({
  ...resendDeclaration,
  route: 'DELETE /resend/domains/{id}',
  access: { key: 'required', scope: 'manage_organization' },
  path: z.object({ id: domainField }),
  unmatchedPath: 'domain_not_found',
  answers: {
    200: {
      body: deletedSchema('domain'),
      description: 'The domain is deleted.',
      example: { ...exampleDomainId, deleted: true },
    },
  },
  errors: ['domain_not_found', 'rate_limited', 'concurrent_change'],
  isLimited: true,
  lambda: { stack: 'Resend', ...deletesDomain },
  words: {
    section: 'Resend',
    summary: 'Delete a domain, as with Resend',
    description: 'Does what `DELETE /api/v1/domains/{domain}` does.',
    fields: resendDomainWords,
    example: { path: { id: 'news.example.com' } },
  },
});
