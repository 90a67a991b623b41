import { operatorEnvironment, parseEnvironment } from '#shared/config/environment';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { openOperatorGate } from '#shared/http/operator-gate';
import { parseBody } from '#shared/http/parse-request';
import { openDomainClaimStore } from '#shared/identity/domain-claim-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { vouchForDomain } from './vouch-for-domain.ts';

const environment = parseEnvironment(operatorEnvironment);
const admitOperator = openOperatorGate(environment.OPERATOR_SECRET_ID);
const claims = openDomainClaimStore(openTable(environment.TABLE_NAME));

export const handler = jsonEndpoint(async ({ headers, readBody }) => {
  await admitOperator(headers['x-operator-secret']);
  const request = parseBody(endpoint.body, readBody());
  return jsonResponse(endpoint.answers[200].body.parse(await vouchForDomain(request, claims)));
});
