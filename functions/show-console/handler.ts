import { serveFile } from '#shared/endpoints/serve-file';
import { endpoint } from './endpoint.ts';
import { consoleFilesOf, showConsole } from './show-console.ts';

export const handler = serveFile(endpoint, consoleFilesOf, showConsole);
