import { operatorEnvironment, parseEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { openOperatorGate } from '#shared/http/shared-secret';
import { openDomainClaimStore } from '#shared/identity/domain-claim-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { releaseDomain } from './release-domain.ts';

const environment = parseEnvironment(operatorEnvironment);
const claims = {
  admitOperator: openOperatorGate(environment.OPERATOR_SECRET_ID),
  ...openDomainClaimStore(openTable(environment.TABLE_NAME)),
};

export const handler = serve(endpoint, claims, releaseDomain);
