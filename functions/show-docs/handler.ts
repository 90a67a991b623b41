import { serveFile } from '#shared/endpoints/serve-file';
import { docsOf, endpoint, renderNoPage, showDocs } from './show-docs.ts';

export const handler = serveFile(endpoint, docsOf, showDocs, renderNoPage);
