import * as z from 'zod/mini';
import { identityEnvironment } from '#shared/config/environment';
import { addressField } from '#shared/contacts/address-field';
import { mailFromLabelField } from '#shared/domains/domain-field';
import { changesOf } from '#shared/endpoints/changes-of';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { domainPath } from '#shared/endpoints/resource-paths';
import { domainAnswer, domainReference } from '#shared/identity/identity-reference';
import { changeErrors, changesDomain } from '#shared/identity/identity-rights';

export const endpoint = defineEndpoint({
  route: 'PATCH /api/v1/domains/{domain}',
  access: { key: 'required', scope: 'manage_organization' },
  ...domainPath,
  body: changesOf(
    {
      default: z.exactOptional(z.literal(true)),
      fromEmail: z.exactOptional(addressField),
      mailFromLabel: z.exactOptional(mailFromLabelField),
    },
    'must change at least one field',
  ),
  answers: { 200: domainAnswer },
  errors: ['domain_not_active', ...changeErrors],
  isLimited: true,
  lambda: { environment: identityEnvironment, stack: 'Domains', ...changesDomain },
  words: {
    section: 'Organization',
    summary: 'Change a domain, or make it the default',
    description:
      'The former default stays as a further domain. Only an active domain can become the default.',
    fields: {
      ...domainReference.fields,
      default:
        '`true` makes it the default: the From identity, for sends that name no From address.',
    },
    example: { path: { domain: 'billing.example.com' }, body: { default: true } },
  },
});
