import { serveFile } from '#shared/endpoints/serve-file';
import { consoleFilesOf, endpoint, showConsole } from './show-console.ts';

export const handler = serveFile(endpoint, consoleFilesOf, showConsole);
