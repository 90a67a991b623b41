import { openAuthentication } from '#shared/access/authenticate';
import { outboxEnvironment, parseEnvironment } from '#shared/config/environment';
import { createQueueWaker } from '#shared/deliveries/sqs-delivery-queue';
import { serveResend } from '#shared/resend/serve-resend';
import { toSuppressionId } from '#shared/resend/suppressions';
import { createSuppression } from '#shared/suppressions/create-suppression';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { openSuppressionStore } from '#shared/suppressions/suppression-store';
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

export const handler = serveResend(endpoint, creation, async (request, creating) =>
  toSuppressionId(await createSuppression(request, creating)),
);
