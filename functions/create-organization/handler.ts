import { toNewApiKeyView } from '#shared/access/api-key-fields';
import { openOrganizationManagement } from '#shared/access/organization-management';
import { serveOperator } from '#shared/endpoints/serve-secret';
import { createOrganization } from './create-organization.ts';
import { endpoint } from './endpoint.ts';

export const handler = serveOperator(
  endpoint,
  openOrganizationManagement,
  async (request, management) => {
    const { organization, firstKey } = await createOrganization(request, management);
    return { organization, apiKey: toNewApiKeyView(firstKey) };
  },
);
