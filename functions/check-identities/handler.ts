import { setTimeout } from 'node:timers/promises';
import { identityEnvironment, parseEnvironment } from '#shared/config/environment';
import { openDueIdentityStore } from '#shared/identity/identity-store';
import { openIdentityUpkeep } from '#shared/identity/identity-upkeep';
import { openRequestLog } from '#shared/observability/request-log';
import { openTable } from '#shared/table/table-client';
import { checkIdentities, type IdentityChecks } from './check-identities.ts';
import { eventSchema } from './schema.ts';

const environment = parseEnvironment(identityEnvironment);
const table = openTable(environment.TABLE_NAME);
const checks: IdentityChecks = {
  ...openIdentityUpkeep(table, environment),
  dueIdentities: openDueIdentityStore(table),
  sleep: (milliseconds) => setTimeout(milliseconds),
};

/** EventBridge Scheduler invokes the function directly, and IAM authorizes it. */
export const handler = async (
  event: unknown,
  context: { readonly awsRequestId: string },
): Promise<void> => {
  eventSchema.parse(event);
  await checkIdentities(checks, openRequestLog({ requestId: context.awsRequestId }));
};
