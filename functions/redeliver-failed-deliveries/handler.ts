import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { acceptedResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/request-body';
import { toCursor } from '#shared/table/list-position';
import { createWebhookDependencies } from '#shared/webhooks/manage-dependencies';
import { redeliverFailedDeliveries } from './redeliver-failed-deliveries.ts';
import { requestSchema, responseSchema } from './schema.ts';

const dependencies = createWebhookDependencies(parseEnvironment(tableEnvironment));

export const handler = jsonEndpoint(async ({ body, headers, pathParameters }) => {
  const { redelivered, next } = await redeliverFailedDeliveries(
    presentedCredential(headers),
    pathParameters['id'] ?? '',
    () => parseBody(requestSchema, body),
    dependencies,
  );
  const nextCursor = next === undefined ? null : toCursor(next);
  return acceptedResponse(responseSchema.parse({ redelivered, nextCursor }));
});
