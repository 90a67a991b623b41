import * as z from 'zod/mini';
import { builtFileHeadersSchema } from '#shared/endpoints/built-file';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { htmlPage, markdownFile, searchIndexFile } from '#shared/http/response-body';

export const endpoint = defineEndpoint({
  route: ['GET /docs', 'GET /docs/{page+}'],
  access: 'anybody',
  path: z.object({ page: z.optional(z.string()) }),
  unmatchedPath: 'endpoint_not_found',
  headers: builtFileHeadersSchema,
  answers: {
    200: {
      body: z.union([htmlPage, markdownFile, searchIndexFile]),
      description: 'The page.',
      example: [],
      headers: ['ETag'],
    },
    304: { description: 'You have the current version.', headers: ['ETag'] },
  },
  errors: ['encoding_not_acceptable'],
  lambda: { stack: 'Reference', tableActions: [], builtFile: 'docs.json' },
  words: {
    section: 'Reference',
    summary: 'Show the documents',
    description:
      'Guides, tasks and the reference as pages for people. With `.md` after its path, a page is Markdown; the first one is `/docs/index.md`. `/docs/search.json` is what the pages search.',
    fields: { page: 'The page.', title: 'A heading.', address: 'Where it is.' },
    example: { path: { page: 'verify-webhooks.md' } },
  },
});
