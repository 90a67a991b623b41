import { openAuthentication } from '#shared/access/authenticate';
import { limitChanges } from '#shared/access/limit-organization';
import {
  liftingEnvironment,
  limitsEnvironment,
  parseEnvironment,
} from '#shared/config/environment';
import { createQueueWaker } from '#shared/deliveries/sqs-delivery-queue';
import { deleted } from '#shared/resend/management';
import { serveResend } from '#shared/resend/serve-resend';
import { findSuppressions, namesIn, toSuppressionId } from '#shared/resend/suppressions';
import { liftSuppressions } from '#shared/suppressions/lift-suppressions';
import { openProviderSuppressionList } from '#shared/suppressions/ses-suppression-list';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { openSuppressionStore } from '#shared/suppressions/suppression-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(liftingEnvironment);
const { ORGANIZATION_LIMITS } = parseEnvironment(limitsEnvironment);
const table = openTable(environment.TABLE_NAME);
const lifting = {
  ...openAuthentication(table),
  suppressionList: openSuppressionListStore(table),
  lifts: openSuppressionStore(table),
  providerList: openProviderSuppressionList(environment.SES_TENANTS),
  sendRetentionDays: environment.SEND_RETENTION_DAYS,
  wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
};

export const handler = serveResend(endpoint, lifting, async ({ caller, body }, removing) => {
  const data = [];
  for (const name of namesIn(body)) {
    const found = await findSuppressions(name, caller.organizationId, removing);
    if (found === undefined) continue;
    // The first is counted with the request.
    if (data.length > 0) await limitChanges(caller, ORGANIZATION_LIMITS, removing);
    const { named, ...contact } = found;
    const reasons = named.map(({ reason }) => reason);
    await liftSuppressions({ ...contact, reasons }, caller, removing);
    data.push(deleted('suppression', toSuppressionId(named[0]).id));
  }
  return { data };
});
