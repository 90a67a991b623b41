import type * as z from 'zod/mini';
import type { liftingEnvironment } from '#shared/config/environment';
import { tenancyReader } from '#shared/organizations/tenancy';
import type { Table } from '#shared/table/table-client';
import { createQueueWaker } from '#shared/webhook-deliveries/sqs-delivery-queue';
import { openProviderSuppressionList } from './ses-suppression-list.ts';
import { openSuppressionListStore } from './suppression-list-store.ts';
import { openSuppressionStore } from './suppression-store.ts';

export const openSuppressionLifting = (
  table: Table,
  environment: z.output<typeof liftingEnvironment>,
) => ({
  suppressionList: openSuppressionListStore(table),
  lifts: openSuppressionStore(table),
  providerList: openProviderSuppressionList(environment.SES_TENANTS, tenancyReader(table)),
  sendRetentionDays: environment.SEND_RETENTION_DAYS,
  wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
});
