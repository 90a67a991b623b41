import { operatorEnvironment, parseEnvironment } from '#shared/config/environment';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { openOperatorGate } from '#shared/http/operator-gate';
import { parseParameters } from '#shared/http/parse-request';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { listOrganizations } from './list-organizations.ts';

const environment = parseEnvironment(operatorEnvironment);
const admitOperator = openOperatorGate(environment.OPERATOR_SECRET_ID);
const lists = openOrganizationStore(openTable(environment.TABLE_NAME));

export const handler = bodilessEndpoint(async ({ headers, query }) => {
  const operator = await admitOperator(headers['x-operator-secret']);
  const { organizations, nextCursor } = await listOrganizations(
    parseParameters(endpoint.query, query),
    operator,
    lists,
  );
  return jsonResponse(endpoint.answers[200].body.parse({ data: organizations, nextCursor }));
});
