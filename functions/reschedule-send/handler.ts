import * as z from 'zod/mini';
import { openAuthentication } from '#shared/access/authenticate';
import {
  outboxEnvironment,
  parseEnvironment,
  sendQueueEnvironment,
} from '#shared/config/environment';
import { createQueueWaker } from '#shared/deliveries/sqs-delivery-queue';
import { serve } from '#shared/endpoints/serve';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openKeyedSendStore } from '#shared/sending/claim-store';
import { moveSend } from '#shared/sending/later/change-plan';
import { createSenderWaker } from '#shared/sending/later/send-queue';
import { openWaitingStore } from '#shared/sending/later/waiting-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(z.extend(outboxEnvironment, sendQueueEnvironment.shape));
const table = openTable(environment.TABLE_NAME);
const moving = {
  ...openAuthentication(table),
  waiting: openWaitingStore(table),
  keyed: openKeyedSendStore(table),
  organizations: openOrganizationStore(table),
  wakeSenders: createSenderWaker(environment.SEND_QUEUE_URL),
  wakeQueue: createQueueWaker(environment.WEBHOOK_QUEUE_URL),
  patienceMs: environment.SEND_PATIENCE_SECONDS * 1_000,
};

export const handler = serve(endpoint, moving, ({ caller, path: { id }, body: { sendAt } }) =>
  moveSend({ id, caller }, sendAt, moving),
);
