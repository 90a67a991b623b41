import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint, type HttpRequest, jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody, readPath } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { toWebhookView } from '#shared/webhooks/webhook-fields';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { pathSchema, requestSchema, responseSchema } from './schema.ts';

const management = openWebhookManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

async function rotate({ body = {}, headers, pathParameters }: HttpRequest) {
  const webhook = await rotateWebhookSecret(
    presentedCredential(headers),
    readPath(pathSchema, pathParameters).id,
    () => parseBody(requestSchema, body),
    management,
  );
  return jsonResponse(responseSchema.parse(toWebhookView(webhook)));
}

const withBody = jsonEndpoint(rotate);
const withoutBody = bodilessEndpoint(rotate);

/** The body may be left out: every field has a default. */
export const handler = (...invocation: Parameters<typeof withBody>) =>
  invocation[0].body === undefined ? withoutBody(...invocation) : withBody(...invocation);
