import { builtFileEnvironment, parseEnvironment } from '#shared/config/environment';
import { serveFile } from '#shared/endpoints/serve-page';
import { jsonFileResponse, openBuiltFile } from '#shared/http/built-file';
import { endpoint } from './endpoint.ts';

const { BUILT_FILES_FOLDER } = parseEnvironment(builtFileEnvironment);
const description = openBuiltFile(BUILT_FILES_FOLDER, 'openapi.json');

export const handler = serveFile(endpoint, ({ headers }) =>
  jsonFileResponse(description(), headers),
);
