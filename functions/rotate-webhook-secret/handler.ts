import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint, type HttpRequest, jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/request-body';
import { createWebhookDependencies } from '#shared/webhooks/manage-dependencies';
import { toWebhookView } from '#shared/webhooks/manage-fields';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { requestSchema, responseSchema } from './schema.ts';

const dependencies = createWebhookDependencies(parseEnvironment(tableEnvironment));

async function rotate({ body = {}, headers, pathParameters }: HttpRequest) {
  const webhook = await rotateWebhookSecret(
    presentedCredential(headers),
    pathParameters['id'] ?? '',
    () => parseBody(requestSchema, body),
    dependencies,
  );
  return jsonResponse(responseSchema.parse(toWebhookView(webhook)));
}

const withBody = jsonEndpoint(rotate);
const withoutBody = bodilessEndpoint(rotate);

/** The body may be left out: it only says what differs from the default. */
export const handler = (...invocation: Parameters<typeof withBody>) =>
  invocation[0].body === undefined ? withoutBody(...invocation) : withBody(...invocation);
