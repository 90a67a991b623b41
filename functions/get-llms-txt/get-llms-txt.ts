import {
  builtFileHeadersSchema,
  builtFileSchema,
  textFileResponse,
} from '#shared/endpoints/built-file';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { textFile } from '#shared/http/response-body';

export const endpoint = defineEndpoint(
  {
    route: 'GET /llms.txt',
    access: 'anybody',
    headers: builtFileHeadersSchema,
    answers: {
      200: { body: textFile, description: 'The list.', headers: ['ETag'] },
      304: { description: 'You have the current version.', headers: ['ETag'] },
    },
    file: builtFileSchema,
    lambda: { stack: 'Reference', tableActions: [], builtFile: 'llms.txt' },
    words: {
      section: 'Reference',
      summary: 'List the documents for language models',
      description:
        'What the service is, and a link to each page of `/docs` as Markdown, as llmstxt.org describes it.',
    },
  },
  async ({ headers }, file) => textFileResponse(file, headers),
);
