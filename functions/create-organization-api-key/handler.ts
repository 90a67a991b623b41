import { toNewApiKeyView } from '#shared/access/api-key';
import { openOrganizationManagement } from '#shared/access/organization-management';
import { operatorEnvironment, parseEnvironment } from '#shared/config/environment';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { createdResponse } from '#shared/http/http-response';
import { openOperatorGate } from '#shared/http/operator-gate';
import { parseParameters, readPath } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { createOrganizationApiKey } from './create-organization-api-key.ts';
import { headersSchema, pathSchema, responseSchema } from './schema.ts';

const environment = parseEnvironment(operatorEnvironment);
const admitOperator = openOperatorGate(environment.OPERATOR_SECRET_ID);
const management = openOrganizationManagement(openTable(environment.TABLE_NAME));

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  await admitOperator(parseParameters(headersSchema, headers)['x-operator-secret']);
  const { id } = readPath(pathSchema, pathParameters);
  const created = await createOrganizationApiKey(id, management);
  return createdResponse(responseSchema.parse(toNewApiKeyView(created)));
});
