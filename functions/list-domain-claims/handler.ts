import { operatorEnvironment, parseEnvironment } from '#shared/config/environment';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { openOperatorGate } from '#shared/http/operator-gate';
import { parseParameters } from '#shared/http/parse-request';
import { openDomainClaimStore } from '#shared/identity/domain-claim-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { listDomainClaims } from './list-domain-claims.ts';

const environment = parseEnvironment(operatorEnvironment);
const admitOperator = openOperatorGate(environment.OPERATOR_SECRET_ID);
const claims = openDomainClaimStore(openTable(environment.TABLE_NAME));

export const handler = bodilessEndpoint(async ({ headers, query }) => {
  const operator = await admitOperator(headers['x-operator-secret']);
  const page = await listDomainClaims(parseParameters(endpoint.query, query), operator, claims);
  return jsonResponse(endpoint.answers[200].body.parse(page));
});
