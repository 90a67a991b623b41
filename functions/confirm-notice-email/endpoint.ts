import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { htmlPage } from '#shared/http/response-body';

export const endpoint = defineEndpoint({
  route: 'POST /notices/confirmation',
  access: 'anybody',
  query: z.object({ token: z.optional(z.string()) }),
  answers: { 200: { body: htmlPage, description: 'The page, which says that it is done.' } },
  errors: ['link_not_found', 'concurrent_change'],
  isForPeople: true,
  lambda: {
    stack: 'Links',
    reservation: 'links',
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
    readsSecrets: ['tokenSigningKey'],
  },
  words: {
    section: 'Links in emails',
    summary: 'Confirm that an address wants notices',
    description:
      'Takes the form of the page. From then on the organization’s `noticeEmailState` is `confirmed`, until it sets another address.',
    fields: { token: 'The token of the link.' },
    example: { query: { token: 'v1.k1.…' } },
  },
});
