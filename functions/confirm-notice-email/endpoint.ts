import * as z from 'zod/mini';
import { tokenEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { htmlPage } from '#shared/http/response-body';
import { organizationPartitions } from '#shared/table/keys';

export const endpoint = defineEndpoint({
  route: 'POST /notices/confirmation',
  access: 'anybody',
  query: z.object({ token: z.optional(z.string()) }),
  answers: { 200: { body: htmlPage, description: 'The page says that the address is confirmed.' } },
  errors: ['link_not_found', 'concurrent_change'],
  isForPeople: true,
  lambda: {
    stack: 'Links',
    environment: tokenEnvironment,
    reservation: 'links',
    tableActions: ['GetItem', 'UpdateItem'],
    writesOnlyIn: { UpdateItem: [organizationPartitions] },
    writesAudit: true,
    readsSecrets: ['tokenSigningKey'],
  },
  words: {
    section: 'Links in emails',
    summary: 'Confirm a notice address',
    description:
      'Takes the form of the page. The organization’s `noticeEmailState` is then `confirmed`, until it sets a different address.',
    fields: { token: 'The token from the link.' },
    example: { query: { token: 'v1.k1.…' } },
  },
});
