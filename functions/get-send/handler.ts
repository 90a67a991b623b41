import { openApiKeyStore } from '#shared/access/api-key-store';
import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { readPath } from '#shared/http/parse-request';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { toSendView } from '#shared/sends/send-view';
import { openTimelineStore, type Timeline } from '#shared/sends/timeline-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { getSend } from './get-send.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);

const stores = {
  now: Date.now,
  timelines: openTimelineStore(table),
  apiKeys: openApiKeyStore(table),
  organizations: openOrganizationStore(table),
};

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  const { id } = readPath(endpoint.path, pathParameters);
  const timeline = await getSend(id, presentedCredential(headers), stores);
  return jsonResponse(toResponse(timeline));
});

const toResponse = ({ send, messages, events, deliveries }: Timeline) =>
  endpoint.answers[200].body.parse({
    send: toSendView(send, Date.now()),
    messages,
    events,
    webhooks: deliveries.map(({ webhookId, type, status, attempts }) => ({
      endpointId: webhookId,
      type,
      status,
      attempts: attempts.length,
      lastStatusCode: attempts.at(-1)?.statusCode,
    })),
  });
