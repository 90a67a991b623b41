import { builtFileOf, jsonFileResponse } from '#shared/endpoints/built-file';
import { serveFile } from '#shared/endpoints/serve-file';
import { endpoint } from './get-openapi.ts';

export const handler = serveFile(endpoint, builtFileOf, ({ headers }, file) =>
  jsonFileResponse(file, headers),
);
