import { toNewApiKeyView } from '#shared/access/api-key';
import { openOrganizationManagement } from '#shared/access/organization-management';
import { operatorEnvironment, parseEnvironment } from '#shared/config/environment';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { createdResponse } from '#shared/http/http-response';
import { openOperatorGate } from '#shared/http/operator-gate';
import { parseBody } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { createOrganization } from './create-organization.ts';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(operatorEnvironment);
const admitOperator = openOperatorGate(environment.OPERATOR_SECRET_ID);
const management = openOrganizationManagement(openTable(environment.TABLE_NAME));

export const handler = jsonEndpoint(async ({ headers, readBody }) => {
  await admitOperator(headers['x-operator-secret']);
  const request = parseBody(endpoint.body, readBody());
  const { organization, firstKey } = await createOrganization(request, management);
  return createdResponse(
    endpoint.answers[201].body.parse({ organization, apiKey: toNewApiKeyView(firstKey) }),
  );
});
