import { builtFileEnvironment, parseEnvironment } from '#shared/config/environment';
import { jsonFileResponse, openBuiltFile } from '#shared/http/built-file';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { parseParameters } from '#shared/http/parse-request';
import { endpoint } from './endpoint.ts';

const { BUILT_FILES_FOLDER } = parseEnvironment(builtFileEnvironment);
const description = openBuiltFile(BUILT_FILES_FOLDER, 'openapi.json');

export const handler = bodilessEndpoint(async ({ headers }) =>
  jsonFileResponse(description(), parseParameters(endpoint.headers, headers)),
);
