import { operatorEnvironment, parseEnvironment } from '#shared/config/environment';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { noContentResponse } from '#shared/http/http-response';
import { openOperatorGate } from '#shared/http/operator-gate';
import { parseParameters, readPath } from '#shared/http/parse-request';
import { openDomainClaimStore } from '#shared/identity/domain-claim-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { releaseDomain } from './release-domain.ts';

const environment = parseEnvironment(operatorEnvironment);
const admitOperator = openOperatorGate(environment.OPERATOR_SECRET_ID);
const claims = openDomainClaimStore(openTable(environment.TABLE_NAME));

export const handler = bodilessEndpoint(async ({ headers, pathParameters, query }) => {
  await admitOperator(headers['x-operator-secret']);
  const { domain } = readPath(endpoint.path, pathParameters);
  await releaseDomain(domain, parseParameters(endpoint.query, query), claims);
  return noContentResponse;
});
