import { openAuthentication } from '#shared/access/authenticate';
import { liftingEnvironment, parseEnvironment } from '#shared/config/environment';
import { createQueueWaker } from '#shared/deliveries/sqs-delivery-queue';
import { deleted } from '#shared/resend/management';
import { serveResend } from '#shared/resend/serve-resend';
import { requireSuppressions, toSuppressionId } from '#shared/resend/suppressions';
import { liftSuppressions } from '#shared/suppressions/lift-suppressions';
import { openProviderSuppressionList } from '#shared/suppressions/ses-suppression-list';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { openSuppressionStore } from '#shared/suppressions/suppression-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(liftingEnvironment);
const table = openTable(environment.TABLE_NAME);
const lifting = {
  ...openAuthentication(table),
  suppressionList: openSuppressionListStore(table),
  lifts: openSuppressionStore(table),
  providerList: openProviderSuppressionList(environment.SES_TENANTS),
  sendRetentionDays: environment.SEND_RETENTION_DAYS,
  wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
};

export const handler = serveResend(endpoint, lifting, async ({ caller, path }, removing) => {
  const { named, ...found } = await requireSuppressions(path.id, caller.organizationId, removing);
  const reasons = named.map(({ reason }) => reason);
  await liftSuppressions({ ...found, reasons }, caller, removing);
  return deleted('suppression', toSuppressionId(named[0]).id);
});
