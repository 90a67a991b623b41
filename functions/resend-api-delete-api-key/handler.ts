import { openApiKeyManagement } from '#shared/access/change-api-key';
import { revokeApiKey } from '#shared/access/manage-api-keys';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { deleted } from '#shared/resend/management';
import { serveResend } from '#shared/resend/serve-resend';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';

const management = openApiKeyManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = serveResend(endpoint, management, async (request, revoking) => {
  await revokeApiKey(request, revoking);
  return deleted('api_key', request.path.id);
});
