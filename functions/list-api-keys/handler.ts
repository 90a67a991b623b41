import { openAuthentication } from '#shared/access/authenticate';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { listApiKeys } from './list-api-keys.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const listing = { ...openAuthentication(table) };

export const handler = serve(endpoint, listing, listApiKeys);
