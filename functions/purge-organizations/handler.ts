import { contentEnvironment, parseEnvironment } from '#shared/config/environment';
import { openContentStore } from '#shared/content/content-store';
import { openRequestLog } from '#shared/observability/request-log';
import { openPurgeStore } from '#shared/organizations/purge-store';
import { openTable } from '#shared/table/table-client';
import { purgeOrganizations } from './purge-organizations.ts';
import { eventSchema } from './schema.ts';

const environment = parseEnvironment(contentEnvironment);
const purging = {
  now: Date.now,
  purges: openPurgeStore(openTable(environment.TABLE_NAME)),
  contents: openContentStore(environment),
};

/** EventBridge Scheduler invokes the function directly, and IAM authorizes it. */
export const handler = async (
  event: unknown,
  context: { readonly awsRequestId: string },
): Promise<void> => {
  eventSchema.parse(event);
  await purgeOrganizations(purging, openRequestLog({ requestId: context.awsRequestId }));
};
