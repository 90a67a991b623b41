import * as z from 'zod/mini';
import { accountEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import {
  exampleResendDomains,
  resendDomainWords,
  resendListedDomainSchema,
} from '#shared/resend/domains';
import { resendList, resendListSchema, resendPageFields } from '#shared/resend/list-page';
import { managementDeclaration } from '#shared/resend/management';

export const endpoint = defineEndpoint({
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
  lambda: { environment: accountEnvironment, stack: 'Resend', tableActions: ['GetItem', 'Query'] },
  words: {
    section: 'Resend',
    summary: 'List the domains, as with Resend',
    description: 'The default comes first. Without a `limit`, all of them.',
    fields: resendDomainWords,
    example: { query: { limit: '20' } },
  },
});
