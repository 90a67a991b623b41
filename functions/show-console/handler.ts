import { builtFileEnvironment, parseEnvironment } from '#shared/config/environment';
import { serveFile } from '#shared/endpoints/serve-page';
import { endpoint } from './endpoint.ts';
import { openConsoleFiles, showConsole } from './show-console.ts';

const { BUILT_FILES_FOLDER } = parseEnvironment(builtFileEnvironment);
const files = openConsoleFiles(BUILT_FILES_FOLDER);

export const handler = serveFile(endpoint, (request) => showConsole(request, files()));
