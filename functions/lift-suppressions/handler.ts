import { openAuthentication } from '#shared/access/authenticate';
import { liftingEnvironment, parseEnvironment } from '#shared/config/environment';
import { createQueueWaker } from '#shared/deliveries/sqs-delivery-queue';
import { serve } from '#shared/endpoints/serve';
import { openProviderSuppressionList } from '#shared/suppressions/ses-suppression-list';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { openSuppressionStore } from '#shared/suppressions/suppression-store';
import { toSuppressionView } from '#shared/suppressions/suppression-view';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { liftSuppressions } from './lift-suppressions.ts';

const environment = parseEnvironment(liftingEnvironment);
const table = openTable(environment.TABLE_NAME);
const lifting = {
  ...openAuthentication(table),
  suppressions: openSuppressionListStore(table),
  lifts: openSuppressionStore(table),
  providerList: openProviderSuppressionList(environment.SES_TENANTS),
  sendRetentionDays: environment.SEND_RETENTION_DAYS,
  wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
};

export const handler = serve(endpoint, lifting, async (request) => {
  const { examples, ...result } = await liftSuppressions(request, lifting);
  return { ...result, examples: examples.map(toSuppressionView) };
});
