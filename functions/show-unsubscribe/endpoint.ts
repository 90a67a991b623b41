import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { htmlPage } from '#shared/http/response-body';

export const endpoint = defineEndpoint({
  route: 'GET /api/unsubscribe',
  access: 'anybody',
  query: z.object({ token: z.optional(z.string()) }),
  answers: {
    200: { body: htmlPage, description: 'The page that asks.' },
    302: {
      description: 'To the organization’s own page, with `?token=…`.',
      headers: ['Location'],
    },
  },
  errors: ['contact_not_found', 'sender_gone'],
  isForPeople: true,
  lambda: {
    stack: 'Links',
    reservation: 'links',
    tableActions: ['GetItem', 'UpdateItem'],
    readsSecrets: ['tokenSigningKey'],
  },
  words: {
    section: 'Links in emails',
    summary: 'Ask a person to confirm an unsubscribe',
    description:
      'The unsubscribe link of an email leads here. It changes nothing, since link scanners follow links. The organization may have a page of its own.',
    fields: { token: 'The token of the link.' },
    example: { query: { token: 'v1.k1.…' } },
  },
});
