import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { openRequestLog } from '#shared/observability/request-log';
import { openPurgeStore } from '#shared/organizations/purge-store';
import { openTable } from '#shared/table/table-client';
import { purgeOrganizations } from './purge-organizations.ts';
import { eventSchema } from './schema.ts';

const purging = {
  now: Date.now,
  purges: openPurgeStore(openTable(parseEnvironment(tableEnvironment).TABLE_NAME)),
};

/** EventBridge Scheduler invokes the function directly, and IAM authorizes it. */
export const handler = async (
  event: unknown,
  context: { readonly awsRequestId: string },
): Promise<void> => {
  eventSchema.parse(event);
  await purgeOrganizations(purging, openRequestLog({ requestId: context.awsRequestId }));
};
