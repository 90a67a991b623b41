import { openAuthentication } from '#shared/access/authenticate';
import { outboxEnvironment, parseEnvironment } from '#shared/config/environment';
import { createQueueWaker } from '#shared/deliveries/sqs-delivery-queue';
import { serve } from '#shared/endpoints/serve';
import { createSuppression } from '#shared/suppressions/create-suppression';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { openSuppressionStore } from '#shared/suppressions/suppression-store';
import { toSuppressionView } from '#shared/suppressions/suppression-view';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(outboxEnvironment);
const table = openTable(environment.TABLE_NAME);
const creation = {
  ...openAuthentication(table),
  suppressions: openSuppressionStore(table),
  suppressionList: openSuppressionListStore(table),
  sendRetentionDays: environment.SEND_RETENTION_DAYS,
  wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
};

export const handler = serve(endpoint, creation, async (request) =>
  toSuppressionView(await createSuppression(request, creation)),
);
