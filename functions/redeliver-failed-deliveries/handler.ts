import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { openDeliveryLogStore } from '#shared/deliveries/delivery-log-store';
import { openRedeliveryStore } from '#shared/deliveries/redelivery-store';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { acceptedResponse } from '#shared/http/http-response';
import { parseBody, readPath } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import {
  type FailedDeliveryReplay,
  redeliverFailedDeliveries,
} from './redeliver-failed-deliveries.ts';
import { pathSchema, requestSchema, responseSchema } from './schema.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const replay: FailedDeliveryReplay = {
  ...openWebhookManagement(table),
  deliveryLogs: openDeliveryLogStore(table),
  redeliveries: openRedeliveryStore(table),
};

export const handler = jsonEndpoint(async ({ readBody, headers, pathParameters }) => {
  const result = await redeliverFailedDeliveries(
    presentedCredential(headers),
    readPath(pathSchema, pathParameters).id,
    () => parseBody(requestSchema, readBody()),
    replay,
  );
  return acceptedResponse(responseSchema.parse(result));
});
