import * as z from 'zod/mini';
import { accountEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { openIdentityStore } from '#shared/identity/identity-store';
import { listDomains } from '#shared/identity/identity-view';
import {
  exampleResendDomains,
  resendDomainWords,
  resendListedDomainSchema,
  toListedResendDomain,
} from '#shared/resend/domains';
import { pageOf, resendList, resendListSchema, resendPageFields } from '#shared/resend/list-page';
import { managementDeclaration } from '#shared/resend/management';
import type { Table } from '#shared/table/table-client';

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
    uses: (table: Table, { AWS_REGION: region }: z.infer<typeof accountEnvironment>) => ({
      identities: openIdentityStore(table),
      region,
    }),
    lambda: {
      environment: accountEnvironment,
      stack: 'Resend',
      tableActions: ['GetItem', 'Query'],
    },
    words: {
      section: 'Resend',
      summary: 'List the domains, as with Resend',
      description: 'The default comes first. Without a `limit`, all of them.',
      fields: resendDomainWords,
      example: { query: { limit: '20' } },
    },
  },
  async ({ caller, query }, { identities, region }) => {
    const all = await identities.readAll(caller.organizationId);
    const domains = listDomains(all, undefined);
    return pageOf(
      domains.map((domain) => toListedResendDomain(domain, region)),
      query,
    );
  },
);
