import { openApiKeyManagement } from '#shared/access/change-api-key';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { revokeApiKey } from './revoke-api-key.ts';

const management = openApiKeyManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = serve(endpoint, management, revokeApiKey);
