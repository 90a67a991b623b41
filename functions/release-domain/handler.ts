import { serveOperator } from '#shared/endpoints/serve-secret';
import { openDomainClaimStore } from '#shared/identity/domain-claim-store';
import { endpoint } from './endpoint.ts';
import { releaseDomain } from './release-domain.ts';

export const handler = serveOperator(endpoint, openDomainClaimStore, releaseDomain);
