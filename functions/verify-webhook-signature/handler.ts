import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { openDeliveryLogStore } from '#shared/deliveries/delivery-log-store';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody, readPath } from '#shared/http/parse-request';
import { openTable } from '#shared/table/table-client';
import { openWebhookManagement } from '#shared/webhooks/webhook-management';
import { endpoint } from './endpoint.ts';
import { type SignatureVerification, verifyWebhookSignature } from './verify-webhook-signature.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);
const verification: SignatureVerification = {
  ...openWebhookManagement(table),
  deliveryLogs: openDeliveryLogStore(table),
};

export const handler = jsonEndpoint(async ({ readBody, headers, pathParameters }) => {
  const result = await verifyWebhookSignature(
    presentedCredential(headers),
    readPath(endpoint.path, pathParameters).id,
    () => parseBody(endpoint.body, readBody()),
    verification,
  );
  return jsonResponse(endpoint.answers[200].body.parse(result));
});
