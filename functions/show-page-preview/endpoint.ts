import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { htmlPage } from '#shared/http/response-body';

export const endpoint = defineEndpoint({
  route: 'GET /console/preview/{page}',
  access: { key: 'required', scope: 'manage_organization' },
  path: z.object({
    page: z.enum(['footer', 'unsubscribe', 'unsubscribed', 'preferences']),
  }),
  unmatchedPath: 'endpoint_not_found',
  query: z.strictObject({ of: z.optional(z.string()) }),
  answers: { 200: { body: htmlPage, description: 'The page.' } },
  lambda: { stack: 'Console', tableActions: ['GetItem', 'Query'] },
  words: {
    section: 'Console',
    summary: 'Show a page as recipients see it',
    description:
      'Made from the stored settings, for an invented recipient. The console shows it in a frame, in which no script runs and no form works.',
    fields: {
      page: '`footer`: the end of bulk emails. `unsubscribe` and `unsubscribed`: the page that asks, and the one after it. `preferences`: the preference page.',
      of: 'The version of the settings, so that the frame loads again after a change. It changes nothing else.',
    },
    example: { path: { page: 'preferences' } },
  },
});
