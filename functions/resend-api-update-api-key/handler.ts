import { openApiKeyManagement } from '#shared/access/change-api-key';
import { updateApiKey } from '#shared/access/manage-api-keys';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serveResend } from '#shared/resend/serve-resend';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';

const management = openApiKeyManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = serveResend(endpoint, management, async (request, changing) => {
  const { id } = await updateApiKey(request, changing);
  return { object: 'api_key' as const, id };
});
