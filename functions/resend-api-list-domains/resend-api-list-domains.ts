import * as z from 'zod/mini';
import { knowsRegion } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { listIdentities } from '#shared/identity/identity-store';
import { listDomains } from '#shared/identity/identity-view';
import {
  exampleResendDomains,
  resendDomainWords,
  resendListedDomainSchema,
  toListedResendDomain,
} from '#shared/resend/domains';
import { pageOf, resendList, resendListSchema, resendPageFields } from '#shared/resend/list-page';
import { managementDeclaration } from '#shared/resend/management';

export const endpoint = defineEndpoint(
  {
    ...managementDeclaration,
    route: 'GET /resend/domains',
    query: z.strictObject(resendPageFields),
    answers: {
      200: {
        body: resendListSchema(resendListedDomainSchema),
        description: 'The domains.',
        example: resendList(exampleResendDomains, false),
      },
    },
    uses: { region: knowsRegion },
    lambda: { stack: 'Resend', tableActions: ['GetItem', 'Query'] },
    words: {
      section: 'Resend',
      summary: 'List the domains, as with Resend',
      description: 'The default comes first. Without a `limit`, all of them.',
      fields: resendDomainWords,
      example: { query: { limit: '20' } },
    },
  },
  async ({ caller, query }, { table, region }) => {
    const all = await listIdentities(table, caller.organizationId);
    const domains = listDomains(all, undefined);
    return pageOf(
      domains.map((domain) => toListedResendDomain(domain, region)),
      query,
    );
  },
);
