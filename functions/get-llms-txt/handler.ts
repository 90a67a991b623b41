import { builtFileOf, textFileResponse } from '#shared/endpoints/built-file';
import { serveFile } from '#shared/endpoints/serve-file';
import { endpoint } from './get-llms-txt.ts';

export const handler = serveFile(endpoint, builtFileOf, ({ headers }, file) =>
  textFileResponse(file, headers),
);
