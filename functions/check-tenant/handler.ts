import { readsSesTenants } from '#shared/domains/ses-tenants';
import { serveEvent } from '#shared/endpoints/serve-background';
import { checkTenant, eventSchema } from './check-tenant.ts';
import { lambda } from './function.ts';

export const handler = serveEvent(
  lambda,
  eventSchema,
  { tenantStates: readsSesTenants },
  checkTenant,
);
