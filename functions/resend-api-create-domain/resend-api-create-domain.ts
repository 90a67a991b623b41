import { knowsRegion } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { changeErrors, changesDomains, domainChanges } from '#shared/identity/identity-upkeep';
import { createDomain } from '#shared/identity/set-domain';
import {
  exampleResendDomain,
  resendDomainSchema,
  resendDomainViewSchema,
  resendDomainWords,
  toNewDomain,
  toResendDomain,
} from '#shared/resend/domains';
import { managementDeclaration } from '#shared/resend/management';

export const endpoint = defineEndpoint(
  {
    ...managementDeclaration,
    route: 'POST /resend/domains',
    body: resendDomainSchema,
    answers: {
      201: {
        body: resendDomainViewSchema,
        description: 'The domain, with its DNS records.',
        example: exampleResendDomain,
      },
    },
    errors: ['too_many_domains', 'domain_exists', ...changeErrors],
    isLimited: true,
    uses: { ...changesDomains, region: knowsRegion },
    lambda: { stack: 'Resend', tableActions: domainChanges },
    words: {
      section: 'Resend',
      summary: 'Add a domain, as with Resend',
      description:
        'Does what `POST /api/v1/domains` does. Publish the `Ownership` record as well, which Resend doesn’t have.',
      fields: resendDomainWords,
      example: { body: { name: 'news.example.com' } },
    },
  },
  async ({ body, ...request }, { region, ...management }) => {
    const asOurs = { ...request, body: toNewDomain(body, region) };
    return toResendDomain(await createDomain(asOurs, management));
  },
);
