import { openOrganizationManagement } from '#shared/access/organization-management';
import { operatorLimitsEnvironment, parseEnvironment } from '#shared/config/environment';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { openOperatorGate } from '#shared/http/operator-gate';
import { parseBody, readPath } from '#shared/http/parse-request';
import { toLimitsView } from '#shared/organizations/limits-view';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { updateOrganization } from './update-organization.ts';

const environment = parseEnvironment(operatorLimitsEnvironment);
const admitOperator = openOperatorGate(environment.OPERATOR_SECRET_ID);
const management = openOrganizationManagement(openTable(environment.TABLE_NAME));

export const handler = jsonEndpoint(async ({ headers, pathParameters, readBody }) => {
  await admitOperator(headers['x-operator-secret']);
  const { id } = readPath(endpoint.path, pathParameters);
  const request = parseBody(endpoint.body, readBody());
  const organization = await updateOrganization(id, request, management);
  const limits = toLimitsView(organization.limits, environment.ORGANIZATION_LIMITS);
  return jsonResponse(endpoint.answers[200].body.parse({ ...organization, limits }));
});
