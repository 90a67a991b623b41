import * as z from 'zod/mini';
import {
  bucketEnvironment,
  outboxEnvironment,
  sendQueueEnvironment,
} from '#shared/config/environment';
import { sendPath } from '#shared/endpoints/resource-paths';
import { openContentStore } from '#shared/stored-content/content-store';
import type { Table } from '#shared/table/table-client';
import { createQueueWaker } from '#shared/webhook-deliveries/sqs-delivery-queue';
import { createSenderWaker } from './send-queue.ts';

// Shared by the endpoints that cancel and move an email: ours and Resend's.

const movingEnvironment = z.extend(sendQueueEnvironment, outboxEnvironment.shape);
const cancelingEnvironment = z.extend(movingEnvironment, bucketEnvironment.shape);

const planDeclaration = {
  access: { key: 'required', scope: 'send_email', takesTestKeys: true },
  ...sendPath,
  errors: ['send_not_waiting', 'concurrent_change'],
} as const;

export const cancelDeclaration = {
  ...planDeclaration,
  lambda: {
    stack: 'Recipients',
    environment: cancelingEnvironment,
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
    writesAudit: true,
    contents: { waiting: ['Delete'] },
    wakesSendQueue: true,
    wakesWebhookQueue: true,
  },
} as const;

export const moveDeclaration = {
  ...planDeclaration,
  isLimited: true,
  lambda: {
    stack: 'Recipients',
    environment: movingEnvironment,
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
    wakesSendQueue: true,
    wakesWebhookQueue: true,
  },
} as const;

const openPlanChanging = (_table: Table, environment: z.output<typeof movingEnvironment>) => ({
  wakeSenders: createSenderWaker(environment.SEND_QUEUE_URL),
  wakeWebhooks: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
});

export const openCanceling = (
  table: Table,
  environment: z.output<typeof cancelingEnvironment>,
) => ({
  ...openPlanChanging(table, environment),
  contents: openContentStore(environment),
});

export const openMoving = (table: Table, environment: z.output<typeof movingEnvironment>) => ({
  ...openPlanChanging(table, environment),
  patienceMs: environment.SEND_PATIENCE_SECONDS * 1_000,
  sendRetentionDays: environment.SEND_RETENTION_DAYS,
});
