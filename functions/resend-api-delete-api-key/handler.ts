import { openApiKeyManagement } from '#shared/access/change-api-key';
import { revokeApiKey } from '#shared/access/manage-api-keys';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { deleted } from '#shared/resend/management';
import { renderManagementError } from '#shared/resend/resend-error';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';

const management = openApiKeyManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

export const handler = serve(
  endpoint,
  management,
  async (request, revoking) => {
    await revokeApiKey(request, revoking);
    return deleted('api_key', request.path.id);
  },
  renderManagementError,
);
