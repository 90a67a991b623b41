import { operatorEnvironment, parseEnvironment } from '#shared/config/environment';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { noContentResponse } from '#shared/http/http-response';
import { openOperatorGate } from '#shared/http/operator-gate';
import { parseParameters, readPath } from '#shared/http/parse-request';
import { openOrganizationDeletionStore } from '#shared/identity/organization-deletion-store';
import { openTable } from '#shared/table/table-client';
import { deleteOrganization } from './delete-organization.ts';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(operatorEnvironment);
const admitOperator = openOperatorGate(environment.OPERATOR_SECRET_ID);
const deletion = {
  now: Date.now,
  organizations: openOrganizationDeletionStore(openTable(environment.TABLE_NAME)),
};

export const handler = bodilessEndpoint(async ({ headers, pathParameters, query }) => {
  await admitOperator(headers['x-operator-secret']);
  const { id } = readPath(endpoint.path, pathParameters);
  await deleteOrganization(id, parseParameters(endpoint.query, query), deletion);
  return noContentResponse;
});
