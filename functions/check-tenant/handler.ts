import { openIdentityClient } from '#shared/domains/ses-identities';
import { openSesTenantStates } from '#shared/domains/ses-tenants';
import { serveEvent } from '#shared/endpoints/serve-background';
import { openIdentityStore } from '#shared/identity/identity-store';
import { checkTenant, eventSchema } from './check-tenant.ts';
import { lambda } from './function.ts';

export const handler = serveEvent(
  lambda,
  eventSchema,
  (table) => ({
    identities: openIdentityStore(table),
    tenantStates: openSesTenantStates(openIdentityClient()),
  }),
  checkTenant,
);
