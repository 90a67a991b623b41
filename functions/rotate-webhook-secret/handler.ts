import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody, readPath } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { toWebhookView } from '#shared/webhooks/webhook-fields';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';

const management = openWebhookManagement(openTable(parseEnvironment(tableEnvironment).TABLE_NAME));

/** The body may be left out: every field has a default. */
export const handler = jsonEndpoint(async ({ hasBody, readBody, headers, pathParameters }) => {
  const webhook = await rotateWebhookSecret(
    presentedCredential(headers),
    readPath(endpoint.path, pathParameters).id,
    () => parseBody(endpoint.body, hasBody ? readBody() : {}),
    management,
  );
  return jsonResponse(endpoint.answers[200].body.parse(toWebhookView(webhook, management.now())));
});
