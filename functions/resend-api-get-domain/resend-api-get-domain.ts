import { defineEndpoint } from '#shared/endpoints/endpoint';
import { domainReads, readsDomains } from '#shared/identity/identity-upkeep';
import { readDomain } from '#shared/identity/set-domain';
import { showDomain } from '#shared/identity/show-identity';
import {
  exampleResendDomain,
  resendDomainPath,
  resendDomainViewSchema,
  resendDomainWords,
  toResendDomain,
} from '#shared/resend/domains';
import { managementDeclaration } from '#shared/resend/management';

export const endpoint = defineEndpoint(
  {
    ...managementDeclaration,
    route: 'GET /resend/domains/{id}',
    ...resendDomainPath,
    answers: {
      200: {
        body: resendDomainViewSchema,
        description: 'The domain, with its DNS records.',
        example: exampleResendDomain,
      },
    },
    errors: ['provider_throttled', 'provider_unreachable'],
    uses: readsDomains,
    lambda: { stack: 'Resend', tableActions: domainReads },
    words: {
      section: 'Resend',
      summary: 'Read a domain, as with Resend',
      description:
        'Its ID is the domain itself. Asks DNS each time, and SES at most every 30 seconds.',
      fields: resendDomainWords,
      example: { path: { id: 'news.example.com' } },
    },
  },
  async ({ caller, path }, reading) =>
    toResendDomain(
      await showDomain(await readDomain(reading.table, caller.organizationId, path.id), reading),
    ),
);
