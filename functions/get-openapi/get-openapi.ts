import {
  builtFileHeadersSchema,
  builtFileSchema,
  jsonFileResponse,
} from '#shared/endpoints/built-file';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { openApiDescription } from '#shared/http/response-body';

export const endpoint = defineEndpoint(
  {
    route: 'GET /openapi.json',
    access: 'anybody',
    headers: builtFileHeadersSchema,
    answers: {
      200: {
        body: openApiDescription,
        description: 'The description.',
        example: { openapi: '3.1.1' },
        headers: ['ETag'],
      },
      304: { description: 'You have the current version.', headers: ['ETag'] },
    },
    errors: ['encoding_not_acceptable'],
    file: builtFileSchema,
    lambda: { stack: 'Reference', tableActions: [], builtFile: 'openapi.json' },
    words: {
      section: 'Reference',
      summary: 'Read the OpenAPI description',
      description: 'Describes every endpoint and every webhook message as OpenAPI 3.1.',
      fields: { openapi: 'The version of OpenAPI.' },
    },
  },
  async ({ headers }, file) => jsonFileResponse(file, headers),
);
