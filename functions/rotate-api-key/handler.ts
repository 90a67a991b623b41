import { toApiKeyWithText } from '#shared/access/api-key-fields';
import { openApiKeyManagement } from '#shared/access/change-api-key';
import { limitsEnvironment, parseEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { rotateApiKey } from './rotate-api-key.ts';

const environment = parseEnvironment(limitsEnvironment);
const management = openApiKeyManagement(
  openTable(environment.TABLE_NAME),
  environment.ORGANIZATION_LIMITS,
);

export const handler = serve(endpoint, management, async (request, capability) =>
  toApiKeyWithText(await rotateApiKey(request, capability), capability.now()),
);
