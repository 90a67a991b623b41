import { defineEndpoint } from '#shared/endpoints/endpoint';
import { readDomain } from '#shared/identity/set-domain';
import {
  exampleDomainId,
  resendDomainChangeSchema,
  resendDomainIdSchema,
  resendDomainPath,
  resendDomainWords,
} from '#shared/resend/domains';
import { managementDeclaration } from '#shared/resend/management';

export const endpoint = defineEndpoint(
  {
    ...managementDeclaration,
    route: 'PATCH /resend/domains/{id}',
    ...resendDomainPath,
    body: resendDomainChangeSchema,
    answers: {
      200: {
        body: resendDomainIdSchema,
        description: 'The domain is as the request says.',
        example: exampleDomainId,
      },
    },
    lambda: { stack: 'Resend', tableActions: ['GetItem', 'BatchGetItem'] },
    words: {
      section: 'Resend',
      summary: 'Change a domain, as with Resend',
      description:
        'Accepts only values that already apply and refuses any others by name: domains here have none of Resend’s settings.',
      fields: resendDomainWords,
      example: { path: { id: 'news.example.com' }, body: { tls: 'opportunistic' } },
    },
  },
  async ({ caller, path: { id } }, { table }) => {
    await readDomain(table, caller.organizationId, id);
    return { object: 'domain' as const, id };
  },
);
