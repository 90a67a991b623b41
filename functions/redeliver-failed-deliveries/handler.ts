import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { openDeliveryLogStore } from '#shared/deliveries/delivery-log-store';
import { openRedeliveryStore } from '#shared/deliveries/redelivery-store';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { acceptedResponse } from '#shared/http/http-response';
import { parseBody, readPath } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';
import {
  type FailedDeliveryReplay,
  redeliverFailedDeliveries,
} from './redeliver-failed-deliveries.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const replay: FailedDeliveryReplay = {
  ...openWebhookManagement(table),
  deliveryLogs: openDeliveryLogStore(table),
  redeliveries: openRedeliveryStore(table),
};

export const handler = jsonEndpoint(async ({ readBody, headers, pathParameters }) => {
  const result = await redeliverFailedDeliveries(
    presentedCredential(headers),
    readPath(endpoint.path, pathParameters).id,
    () => parseBody(endpoint.body, readBody()),
    replay,
  );
  return acceptedResponse(endpoint.answers[202].body.parse(result));
});
