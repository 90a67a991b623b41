import { toApiKeyWithText } from '#shared/access/api-key-fields';
import { openApiKeyManagement } from '#shared/access/change-api-key';
import { createApiKey } from '#shared/access/manage-api-keys';
import { limitsEnvironment, parseEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(limitsEnvironment);
const management = openApiKeyManagement(
  openTable(environment.TABLE_NAME),
  environment.ORGANIZATION_LIMITS,
);

export const handler = serve(endpoint, management, async (request, capability) =>
  toApiKeyWithText(await createApiKey(request, capability), capability.now()),
);
