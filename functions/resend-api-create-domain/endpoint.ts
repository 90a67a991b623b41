import { identityEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { changeErrors, changesDomain } from '#shared/identity/identity-rights';
import {
  exampleResendDomain,
  resendDomainSchema,
  resendDomainViewSchema,
  resendDomainWords,
} from '#shared/resend/domains';
import { managementDeclaration } from '#shared/resend/management';

export const endpoint = defineEndpoint({
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
  lambda: { environment: identityEnvironment, stack: 'Resend', ...changesDomain },
  words: {
    section: 'Resend',
    summary: 'Add a domain, as with Resend',
    description:
      'Does what `POST /api/v1/domains` does. Publish the `Ownership` record as well, which Resend doesn’t have.',
    fields: resendDomainWords,
    example: { body: { name: 'news.example.com' } },
  },
});
