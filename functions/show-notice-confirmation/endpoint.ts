import * as z from 'zod/mini';
import { tokenEnvironment } from '#shared/config/environment';
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
    environment: tokenEnvironment,
    reservation: 'links',
    tableActions: ['GetItem'],
    readsSecrets: ['tokenSigningKey'],
  },
  words: {
    section: 'Links in emails',
    summary: 'Show the page that confirms a notice address',
    description:
      'The link mailed to a new `noticeEmail` leads here. Opening it changes nothing, because mail scanners follow links: the button on the page confirms.',
    fields: { token: 'The token from the link.' },
    example: { query: { token: 'v1.k1.…' } },
  },
});
