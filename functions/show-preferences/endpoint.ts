import * as z from 'zod/mini';
import { contactEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { htmlPage } from '#shared/http/response-body';
import { contactPartitions } from '#shared/table/keys';

export const endpoint = defineEndpoint({
  route: 'GET /preferences',
  access: 'anybody',
  query: z.object({ token: z.optional(z.string()) }),
  answers: { 200: { body: htmlPage, description: 'The page.' } },
  errors: ['contact_not_found', 'sender_gone'],
  isForPeople: true,
  lambda: {
    stack: 'Links',
    environment: contactEnvironment,
    reservation: 'links',
    tableActions: ['GetItem', 'Query', 'UpdateItem'],
    writesOnlyIn: { UpdateItem: [contactPartitions] },
    readsSecrets: ['tokenSigningKey'],
  },
  words: {
    section: 'Links in emails',
    summary: 'Show the preferences page',
    description: 'The preferences link of an email leads here. Opening it changes nothing.',
    fields: { token: 'The token from the link.' },
    example: { query: { token: 'v1.k1.…' } },
  },
});
