import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { openIdentityClient } from '#shared/domains/ses-identities';
import { openSesTenantStates } from '#shared/domains/ses-tenants';
import { openIdentityStore } from '#shared/identity/identity-store';
import type { TenantWatch } from '#shared/identity/settle-tenant';
import { openRequestLog } from '#shared/observability/request-log';
import { openTable } from '#shared/table/table-client';
import { checkTenant } from './check-tenant.ts';
import { eventSchema } from './schema.ts';

const watch: TenantWatch = {
  now: Date.now,
  identities: openIdentityStore(openTable(parseEnvironment(tableEnvironment).TABLE_NAME)),
  tenantStates: openSesTenantStates(openIdentityClient()),
};

/** EventBridge invokes the function asynchronously, and IAM authorizes it. */
export const handler = async (
  event: unknown,
  context: { readonly awsRequestId: string },
): Promise<void> => {
  const log = openRequestLog({ requestId: context.awsRequestId });
  await checkTenant(eventSchema.parse(event), watch, log);
};
