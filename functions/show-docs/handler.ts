import { builtFileEnvironment, parseEnvironment } from '#shared/config/environment';
import { serveFile } from '#shared/endpoints/serve-page';
import { endpoint } from './endpoint.ts';
import { openDocs, showDocs } from './show-docs.ts';

const { BUILT_FILES_FOLDER } = parseEnvironment(builtFileEnvironment);
const docs = openDocs(BUILT_FILES_FOLDER);

export const handler = serveFile(endpoint, (request) => showDocs(request, docs()));
