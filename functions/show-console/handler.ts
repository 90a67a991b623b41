import { builtFileEnvironment, parseEnvironment } from '#shared/config/environment';
import { openConsoleFiles } from '#shared/http/console-files';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { parseParameters, readPath } from '#shared/http/parse-request';
import { endpoint } from './endpoint.ts';
import { showConsole } from './show-console.ts';

const { BUILT_FILES_FOLDER } = parseEnvironment(builtFileEnvironment);
const files = openConsoleFiles(BUILT_FILES_FOLDER);

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) =>
  showConsole(
    readPath(endpoint.path, pathParameters).proxy,
    files(),
    parseParameters(endpoint.headers, headers),
  ),
);
