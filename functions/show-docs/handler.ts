import { serveFile } from '#shared/endpoints/serve-file';
import { endpoint } from './endpoint.ts';
import { docsOf, renderNoPage, showDocs } from './show-docs.ts';

export const handler = serveFile(endpoint, docsOf, showDocs, renderNoPage);
