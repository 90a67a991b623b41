import { serveOperator } from '#shared/endpoints/serve-secret';
import { openDomainClaimStore } from '#shared/identity/domain-claim-store';
import { vouchForDomain } from '#shared/identity/settle-ownership';
import { endpoint } from './endpoint.ts';

export const handler = serveOperator(endpoint, openDomainClaimStore, vouchForDomain);
