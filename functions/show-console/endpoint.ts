import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { htmlPage, scriptFile, styleFile } from '#shared/http/response-body';

export const endpoint = defineEndpoint({
  route: ['GET /console', 'GET /console/{proxy+}'],
  access: 'anybody',
  path: z.object({ proxy: z.optional(z.string()) }),
  unmatchedPath: 'endpoint_not_found',
  headers: z.object({ 'accept-encoding': z.optional(z.string()) }),
  answers: { 200: { body: z.union([htmlPage, scriptFile, styleFile]), description: 'The page.' } },
  lambda: { stack: 'Console', tableActions: [], builtFile: 'console.json' },
  words: {
    section: 'Console',
    summary: 'Show the console',
    description:
      'The web app: what was sent, to whom, what became of it, and the settings. Every path below `/console` answers the same page; `/console/assets/` has the files it loads.',
    fields: {
      proxy: 'A page of the console, or one of its files.',
      'accept-encoding': 'With `br` or `gzip` the answer is compressed.',
    },
    example: { path: { proxy: 'emails' } },
  },
});
