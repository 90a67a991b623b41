import * as z from 'zod/mini';
import { contactEnvironment } from '#shared/config/environment';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { htmlPage } from '#shared/http/response-body';
import { contactPartitions } from '#shared/table/keys';

export const endpoint = defineEndpoint({
  route: 'GET /api/unsubscribe',
  access: 'anybody',
  query: z.object({ token: z.optional(z.string()) }),
  answers: {
    200: { body: htmlPage, description: 'The page that asks for confirmation.' },
    302: {
      description: 'A redirect to the organization’s own page, with `?token=…`.',
      headers: ['Location'],
    },
  },
  errors: ['contact_not_found', 'sender_gone'],
  isForPeople: true,
  lambda: {
    stack: 'Links',
    environment: contactEnvironment,
    reservation: 'links',
    tableActions: ['GetItem', 'UpdateItem'],
    writesOnlyIn: { UpdateItem: [contactPartitions] },
    readsSecrets: ['tokenSigningKey'],
  },
  words: {
    section: 'Links in emails',
    summary: 'Show the unsubscribe page',
    description:
      'The unsubscribe link of an email leads here. Opening it changes nothing, because link scanners follow links. An organization may use its own page instead.',
    fields: { token: 'The token from the link.' },
    example: { query: { token: 'v1.k1.…' } },
  },
});
