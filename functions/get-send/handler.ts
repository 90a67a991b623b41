import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { getApiKey } from '#shared/organizations/api-key-store';
import { readTimeline } from '#shared/sending/timeline-store';
import { openTable } from '#shared/table/table-client';
import { type GetSendDependencies, getSend } from './get-send.ts';
import { responseSchema } from './schema.ts';

const table = openTable(parseEnvironment(tableEnvironment).TABLE_NAME);

const dependencies: GetSendDependencies = {
  now: Date.now,
  readTimeline: (feedbackId) => readTimeline(table, feedbackId),
  getApiKey: (id) => getApiKey(table, id),
};

export const handler = bodilessEndpoint(async ({ headers, pathParameters }) => {
  const id = pathParameters['id'] ?? '';
  const { send, messages, events } = await getSend(id, presentedCredential(headers), dependencies);
  return jsonResponse(responseSchema.parse({ send: { ...send, _id: send.id }, messages, events }));
});
