import { openSigningIn } from '#shared/access/change-sign-ins';
import { openDayQuotaStore } from '#shared/access/day-quota-store';
import { serveUnadmitted } from '#shared/endpoints/serve';
import { createSignInLink } from './create-sign-in-link.ts';
import { endpoint } from './endpoint.ts';

export const handler = serveUnadmitted(
  endpoint,
  (table) => ({ ...openSigningIn(table), dayQuotas: openDayQuotaStore(table) }),
  ({ credential }, capability) => createSignInLink(credential, capability),
);
