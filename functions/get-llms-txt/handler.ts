import { serveFile } from '#shared/endpoints/serve-file';
import { builtFileOf, textFileResponse } from '#shared/http/built-file';
import { endpoint } from './endpoint.ts';

export const handler = serveFile(endpoint, builtFileOf, ({ headers }, file) =>
  textFileResponse(file, headers),
);
