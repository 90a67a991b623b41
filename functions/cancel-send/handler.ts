import * as z from 'zod/mini';
import { openAuthentication } from '#shared/access/authenticate';
import {
  bucketEnvironment,
  parseEnvironment,
  sendQueueEnvironment,
  tableEnvironment,
} from '#shared/config/environment';
import { openContentStore } from '#shared/content/content-store';
import { serve } from '#shared/endpoints/serve';
import { cancelSend } from '#shared/sending/later/change-plan';
import { createSenderWaker } from '#shared/sending/later/send-queue';
import { openWaitingStore } from '#shared/sending/later/waiting-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(
  z.extend(tableEnvironment, { ...bucketEnvironment.shape, ...sendQueueEnvironment.shape }),
);
const table = openTable(environment.TABLE_NAME);
const canceling = {
  ...openAuthentication(table),
  waiting: openWaitingStore(table),
  contents: openContentStore(environment),
  wakeSenders: createSenderWaker(environment.SEND_QUEUE_URL),
};

export const handler = serve(endpoint, canceling, ({ caller, path: { id }, log }) =>
  cancelSend({ id, caller }, canceling, log),
);
