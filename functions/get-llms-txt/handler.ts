import { builtFileEnvironment, parseEnvironment } from '#shared/config/environment';
import { serveFile } from '#shared/endpoints/serve-page';
import { openBuiltFile, textFileResponse } from '#shared/http/built-file';
import { endpoint } from './endpoint.ts';

const { BUILT_FILES_FOLDER } = parseEnvironment(builtFileEnvironment);
const list = openBuiltFile(BUILT_FILES_FOLDER, 'llms.txt');

export const handler = serveFile(endpoint, ({ headers }) => textFileResponse(list(), headers));
