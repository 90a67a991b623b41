import { defineEndpoint } from '#shared/endpoints/endpoint';
import { changeErrors, changesDomains, domainChanges } from '#shared/identity/identity-upkeep';
import { verifyDomain } from '#shared/identity/set-domain';
import {
  exampleDomainId,
  resendDomainIdSchema,
  resendDomainPath,
  resendDomainWords,
} from '#shared/resend/domains';
import { managementDeclaration } from '#shared/resend/management';

export const endpoint = defineEndpoint(
  {
    ...managementDeclaration,
    route: 'POST /resend/domains/{id}/verify',
    ...resendDomainPath,
    answers: {
      200: {
        body: resendDomainIdSchema,
        description: 'DNS and SES were asked.',
        example: exampleDomainId,
      },
    },
    errors: [...changeErrors],
    isLimited: true,
    uses: changesDomains,
    lambda: { stack: 'Resend', tableActions: domainChanges },
    words: {
      section: 'Resend',
      summary: 'Verify a domain, as with Resend',
      description:
        'Does what `POST /api/v1/domains/{domain}/verify` does. Read the domain for the outcome.',
      fields: resendDomainWords,
      example: { path: { id: 'news.example.com' } },
    },
  },
  async ({ path: { id }, ...request }, verifying) => {
    await verifyDomain({ ...request, path: { domain: id } }, verifying);
    return { object: 'domain' as const, id };
  },
);
