import { toNewApiKeyView } from '#shared/access/api-key';
import { openOrganizationManagement } from '#shared/access/organization-management';
import { operatorEnvironment, parseEnvironment } from '#shared/config/environment';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { createdResponse } from '#shared/http/http-response';
import { openOperatorGate } from '#shared/http/operator-gate';
import { readPath } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { createOrganizationApiKey } from './create-organization-api-key.ts';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(operatorEnvironment);
const admitOperator = openOperatorGate(environment.OPERATOR_SECRET_ID);
const management = openOrganizationManagement(openTable(environment.TABLE_NAME));

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  await admitOperator(headers['x-operator-secret']);
  const { id } = readPath(endpoint.path, pathParameters);
  const created = await createOrganizationApiKey(id, management);
  return createdResponse(endpoint.answers[201].body.parse(toNewApiKeyView(created)));
});
