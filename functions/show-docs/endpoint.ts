import { defineEndpoint } from '#shared/endpoints/endpoint';
import { builtFileHeadersSchema } from '#shared/http/built-file';
import { htmlPage } from '#shared/http/response-body';

export const endpoint = defineEndpoint({
  route: 'GET /docs',
  access: 'anybody',
  headers: builtFileHeadersSchema,
  answers: {
    200: { body: htmlPage, description: 'The page.', headers: ['ETag'] },
    304: { description: 'You have the current version.', headers: ['ETag'] },
  },
  lambda: { stack: 'Reference', tableActions: [], builtFile: 'docs.html' },
  words: {
    section: 'Reference',
    summary: 'Show the reference as a page',
    description: 'The OpenAPI description for people, on one page without scripts.',
  },
});
