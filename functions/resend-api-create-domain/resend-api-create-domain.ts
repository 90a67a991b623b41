import type * as z from 'zod/mini';
import { identityEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { openIdentityManagement } from '#shared/identity/identity-management';
import { changeErrors, changesDomain } from '#shared/identity/identity-rights';
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
import type { Table } from '#shared/table/table-client';

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
    uses: (table: Table, environment: z.infer<typeof identityEnvironment>) => ({
      ...openIdentityManagement(table, environment),
      region: environment.AWS_REGION,
    }),
    lambda: { environment: identityEnvironment, stack: 'Resend', ...changesDomain },
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
