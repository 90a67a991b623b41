import { builtFileEnvironment, parseEnvironment } from '#shared/config/environment';
import { serveFile } from '#shared/endpoints/serve-page';
import { openBuiltFile, pageFileResponse } from '#shared/http/built-file';
import { endpoint } from './endpoint.ts';

const { BUILT_FILES_FOLDER } = parseEnvironment(builtFileEnvironment);
const page = openBuiltFile(BUILT_FILES_FOLDER, 'docs.html');

export const handler = serveFile(endpoint, ({ headers }) => pageFileResponse(page(), headers));
