import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { openDeliveryLogStore } from '#shared/deliveries/delivery-log-store';
import { toDeliveryView } from '#shared/deliveries/delivery-view';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseParameters, readPath } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';
import { listWebhookDeliveries } from './list-webhook-deliveries.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const management = {
  ...openWebhookManagement(table),
  deliveryLogs: openDeliveryLogStore(table),
};

export const handler = bodilessEndpoint(async ({ headers, pathParameters, query }) => {
  const { deliveries, nextCursor } = await listWebhookDeliveries(
    presentedCredential(headers),
    readPath(endpoint.path, pathParameters).id,
    () => parseParameters(endpoint.query, query),
    management,
  );
  return jsonResponse(
    endpoint.answers[200].body.parse({ data: deliveries.map(toDeliveryView), nextCursor }),
  );
});
