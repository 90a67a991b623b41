import { builtFileEnvironment, parseEnvironment } from '#shared/config/environment';
import { openBuiltFile, pageFileResponse } from '#shared/http/built-file';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { parseParameters } from '#shared/http/parse-request';
import { endpoint } from './endpoint.ts';

const { BUILT_FILES_FOLDER } = parseEnvironment(builtFileEnvironment);
const page = openBuiltFile(BUILT_FILES_FOLDER, 'docs.html');

export const handler = bodilessEndpoint(async ({ headers }) =>
  pageFileResponse(page(), parseParameters(endpoint.headers, headers)),
);
