import * as z from 'zod/mini';
import { openAuthentication } from '#shared/access/authenticate';
import {
  bucketEnvironment,
  outboxEnvironment,
  parseEnvironment,
  sendQueueEnvironment,
  tableEnvironment,
} from '#shared/config/environment';
import { openContentStore } from '#shared/content/content-store';
import { createQueueWaker } from '#shared/deliveries/sqs-delivery-queue';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openTable } from '#shared/table/table-client';
import { sendIdSchema } from '#shared/tokens/resource-id';
import { openKeyedSendStore } from '../claim-store.ts';
import { createSenderWaker } from './send-queue.ts';
import { openWaitingStore } from './waiting-store.ts';

// What the endpoints that cancel and move an email have in common: ours, and Resend's.

const planDeclaration = {
  access: { key: 'required', scope: 'send_email', takesTestKeys: true },
  path: z.object({ id: sendIdSchema }),
  unmatchedPath: 'send_not_found',
  errors: ['send_not_found', 'send_not_waiting', 'concurrent_change'],
} as const;

export const cancelDeclaration = {
  ...planDeclaration,
  lambda: {
    stack: 'Recipients',
    tableActions: ['GetItem', 'UpdateItem'],
    writesAudit: true,
    contents: { waiting: ['Delete'] },
    wakesSendQueue: true,
  },
} as const;

export const moveDeclaration = {
  ...planDeclaration,
  isLimited: true,
  lambda: {
    stack: 'Recipients',
    tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
    wakesSendQueue: true,
    wakesWebhookQueue: true,
  },
} as const;

export function openCanceling() {
  const environment = parseEnvironment(
    z.extend(tableEnvironment, { ...bucketEnvironment.shape, ...sendQueueEnvironment.shape }),
  );
  const table = openTable(environment.TABLE_NAME);
  return {
    ...openAuthentication(table),
    waiting: openWaitingStore(table),
    contents: openContentStore(environment),
    wakeSenders: createSenderWaker(environment.SEND_QUEUE_URL),
  };
}

export function openMoving() {
  const environment = parseEnvironment(z.extend(outboxEnvironment, sendQueueEnvironment.shape));
  const table = openTable(environment.TABLE_NAME);
  return {
    ...openAuthentication(table),
    waiting: openWaitingStore(table),
    keyed: openKeyedSendStore(table),
    organizations: openOrganizationStore(table),
    wakeSenders: createSenderWaker(environment.SEND_QUEUE_URL),
    wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
    patienceMs: environment.SEND_PATIENCE_SECONDS * 1_000,
  };
}
