import { toNewApiKeyView } from '#shared/access/api-key-fields';
import { openOrganizationManagement } from '#shared/access/organization-management';
import { serveOperator } from '#shared/endpoints/serve-secret';
import { createOrganizationApiKey } from './create-organization-api-key.ts';
import { endpoint } from './endpoint.ts';

export const handler = serveOperator(
  endpoint,
  openOrganizationManagement,
  async (request, management) =>
    toNewApiKeyView(await createOrganizationApiKey(request, management)),
);
