import { openAuthentication } from '#shared/access/authenticate';
import { liftingEnvironment, parseEnvironment } from '#shared/config/environment';
import { createQueueWaker } from '#shared/deliveries/sqs-delivery-queue';
import { openTable } from '#shared/table/table-client';
import { openProviderSuppressionList } from './ses-suppression-list.ts';
import { openSuppressionListStore } from './suppression-list-store.ts';
import { openSuppressionStore } from './suppression-store.ts';

export function openSuppressionLifting() {
  const environment = parseEnvironment(liftingEnvironment);
  const table = openTable(environment.TABLE_NAME);
  return {
    ...openAuthentication(table),
    suppressionList: openSuppressionListStore(table),
    lifts: openSuppressionStore(table),
    providerList: openProviderSuppressionList(environment.SES_TENANTS),
    sendRetentionDays: environment.SEND_RETENTION_DAYS,
    wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
  };
}
