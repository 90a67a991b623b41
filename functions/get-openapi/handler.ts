import { serveFile } from '#shared/endpoints/serve-file';
import { builtFileOf, jsonFileResponse } from '#shared/http/built-file';
import { endpoint } from './endpoint.ts';

export const handler = serveFile(endpoint, builtFileOf, ({ headers }, file) =>
  jsonFileResponse(file, headers),
);
