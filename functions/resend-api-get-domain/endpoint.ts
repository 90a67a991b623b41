import { identityEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { readsDomain } from '#shared/identity/identity-rights';
import {
  exampleResendDomain,
  resendDomainPath,
  resendDomainViewSchema,
  resendDomainWords,
} from '#shared/resend/domains';
import { managementDeclaration } from '#shared/resend/management';

export const endpoint = defineEndpoint({
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
  lambda: { environment: identityEnvironment, stack: 'Resend', ...readsDomain },
  words: {
    section: 'Resend',
    summary: 'Read a domain, as with Resend',
    description:
      'Its ID is the domain itself. Asks DNS each time, and SES at most every 30 seconds.',
    fields: resendDomainWords,
    example: { path: { id: 'news.example.com' } },
  },
});
