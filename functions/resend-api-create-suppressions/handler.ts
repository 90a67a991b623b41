import { openAuthentication } from '#shared/access/authenticate';
import { limitChanges } from '#shared/access/limit-organization';
import { limitsEnvironment, outboxEnvironment, parseEnvironment } from '#shared/config/environment';
import { createQueueWaker } from '#shared/deliveries/sqs-delivery-queue';
import { serveResend } from '#shared/resend/serve-resend';
import { toSuppressionId } from '#shared/resend/suppressions';
import { createSuppression } from '#shared/suppressions/create-suppression';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { openSuppressionStore } from '#shared/suppressions/suppression-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(outboxEnvironment);
const { ORGANIZATION_LIMITS } = parseEnvironment(limitsEnvironment);
const table = openTable(environment.TABLE_NAME);
const creation = {
  ...openAuthentication(table),
  suppressions: openSuppressionStore(table),
  suppressionList: openSuppressionListStore(table),
  sendRetentionDays: environment.SEND_RETENTION_DAYS,
  wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
};

export const handler = serveResend(
  endpoint,
  creation,
  async ({ caller, body: { emails } }, creating) => {
    const data = [];
    for (const [place, email] of emails.entries()) {
      // The first is counted with the request.
      if (place > 0) await limitChanges(caller, ORGANIZATION_LIMITS, creating);
      data.push(toSuppressionId(await createSuppression({ caller, body: { email } }, creating)));
    }
    return { data };
  },
);
