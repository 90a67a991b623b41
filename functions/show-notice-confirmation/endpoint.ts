import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { htmlPage } from '#shared/http/response-body';

export const endpoint = defineEndpoint({
  route: 'GET /notices/confirmation',
  access: 'anybody',
  query: z.object({ token: z.optional(z.string()) }),
  answers: { 200: { body: htmlPage, description: 'The page.' } },
  errors: ['link_not_found'],
  isForPeople: true,
  lambda: {
    stack: 'Links',
    reservation: 'links',
    tableActions: ['GetItem'],
    readsSecrets: ['tokenSigningKey'],
  },
  words: {
    section: 'Links in emails',
    summary: 'Ask whether an address wants notices',
    description:
      'The link that was mailed to a new `noticeEmail` leads here. The page has a button. Opening it changes nothing: mail scanners open links too.',
    fields: { token: 'The token of the link.' },
    example: { query: { token: 'v1.k1.…' } },
  },
});
