import { toNewApiKeyView } from '#shared/access/api-key';
import { openOrganizationManagement } from '#shared/access/organization-management';
import { operatorEnvironment, parseEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openOperatorGate } from '#shared/http/shared-secret';
import { openTable } from '#shared/table/table-client';
import { createOrganizationApiKey } from './create-organization-api-key.ts';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(operatorEnvironment);
const management = {
  admitOperator: openOperatorGate(environment.OPERATOR_SECRET_ID),
  ...openOrganizationManagement(openTable(environment.TABLE_NAME)),
};

export const handler = serve(endpoint, management, async (request) =>
  toNewApiKeyView(await createOrganizationApiKey(request, management)),
);
