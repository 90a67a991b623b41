import { parseEnvironment } from '#shared/config/environment';
import { operatorEnvironment } from '#shared/config/operator-environment';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { openOperatorGate } from '#shared/http/operator-gate';
import { parseBody, parseParameters, readPath } from '#shared/http/parse-request';
import { openOrganizationManagement } from '#shared/organizations/organization-management';
import { openTable } from '#shared/table/table-client';
import { headersSchema, pathSchema, requestSchema, responseSchema } from './schema.ts';
import { updateOrganization } from './update-organization.ts';

const environment = parseEnvironment(operatorEnvironment);
const admitOperator = openOperatorGate(environment.OPERATOR_SECRET_ID);
const management = openOrganizationManagement(openTable(environment.TABLE_NAME));

export const handler = jsonEndpoint(async ({ headers, pathParameters, readBody }) => {
  await admitOperator(parseParameters(headersSchema, headers)['x-operator-secret']);
  const { id } = readPath(pathSchema, pathParameters);
  const request = parseBody(requestSchema, readBody());
  return jsonResponse(responseSchema.parse(await updateOrganization(id, request, management)));
});
