import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { htmlPage } from '#shared/http/response-body';

export const endpoint = defineEndpoint({
  route: 'GET /preferences',
  access: 'anybody',
  query: z.object({ token: z.optional(z.string()) }),
  answers: { 200: { body: htmlPage, description: 'The page.' } },
  errors: ['contact_not_found', 'sender_gone'],
  isForPeople: true,
  lambda: {
    stack: 'Links',
    reservation: 'links',
    tableActions: ['GetItem', 'Query', 'UpdateItem'],
    readsSecrets: ['tokenSigningKey'],
  },
  words: {
    section: 'Links in emails',
    summary: 'Show a person their preferences',
    description: 'The preference link of an email leads here. The page has a form.',
    fields: { token: 'The token of the link.' },
    example: { query: { token: 'v1.k1.…' } },
  },
});
