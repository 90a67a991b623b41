import { operatorEnvironment, parseEnvironment } from '#shared/config/environment';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { noContentResponse } from '#shared/http/http-response';
import { openOperatorGate } from '#shared/http/operator-gate';
import { parseParameters, readPath } from '#shared/http/parse-request';
import { openDomainClaimStore } from '#shared/identity/domain-claim-store';
import { openTable } from '#shared/table/table-client';
import { releaseDomain } from './release-domain.ts';
import { headersSchema, pathSchema, querySchema } from './schema.ts';

const environment = parseEnvironment(operatorEnvironment);
const admitOperator = openOperatorGate(environment.OPERATOR_SECRET_ID);
const claims = openDomainClaimStore(openTable(environment.TABLE_NAME));

export const handler = bodilessEndpoint(async ({ headers, pathParameters, query }) => {
  await admitOperator(parseParameters(headersSchema, headers)['x-operator-secret']);
  const { domain } = readPath(pathSchema, pathParameters);
  await releaseDomain(domain, parseParameters(querySchema, query), claims);
  return noContentResponse;
});
