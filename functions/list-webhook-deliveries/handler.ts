import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseQuery } from '#shared/http/request-query';
import { toCursor } from '#shared/table/list-position';
import { toDeliveryView } from '#shared/webhooks/delivery-log-view';
import { createWebhookDependencies } from '#shared/webhooks/manage-dependencies';
import { listWebhookDeliveries } from './list-webhook-deliveries.ts';
import { querySchema, responseSchema } from './schema.ts';

const dependencies = createWebhookDependencies(parseEnvironment(tableEnvironment));

export const handler = bodilessEndpoint(async ({ headers, pathParameters, query }) => {
  const { deliveries, next } = await listWebhookDeliveries(
    presentedCredential(headers),
    pathParameters['id'] ?? '',
    () => parseQuery(querySchema, query),
    dependencies,
  );
  const nextCursor = next === undefined ? null : toCursor(next);
  return jsonResponse(responseSchema.parse({ data: deliveries.map(toDeliveryView), nextCursor }));
});
