import { operatorLimitsEnvironment, parseEnvironment } from '#shared/config/environment';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { openOperatorGate } from '#shared/http/operator-gate';
import { readPath } from '#shared/http/parse-request';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openTable } from '#shared/table/table-client';
import { readOrganizationUse } from '#shared/usage/read-organization-use';
import { endpoint } from './endpoint.ts';
import { getOrganization, type OrganizationReading } from './get-organization.ts';

const environment = parseEnvironment(operatorLimitsEnvironment);
const admitOperator = openOperatorGate(environment.OPERATOR_SECRET_ID);
const table = openTable(environment.TABLE_NAME);
const reading: OrganizationReading = {
  organizations: openOrganizationStore(table),
  readUse: (organization) => readOrganizationUse(table, organization, Date.now()),
  limitsOfDeployment: environment.ORGANIZATION_LIMITS,
};

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  await admitOperator(headers['x-operator-secret']);
  const { id } = readPath(endpoint.path, pathParameters);
  return jsonResponse(endpoint.answers[200].body.parse(await getOrganization(id, reading)));
});
