import { openApiKeyStore } from '#shared/access/api-key-store';
import { parseEnvironment, suppressionListEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseParameters } from '#shared/http/parse-request';
import { openIdentityStore } from '#shared/identity/identity-store';
import { openSendListStore } from '#shared/sends/send-list-store';
import { openTimelineStore } from '#shared/sends/timeline-store';
import { openProviderSuppressionList } from '#shared/suppressions/ses-suppression-list';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { toSuppressionView } from '#shared/suppressions/suppression-view';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { explainRecipient } from './explain-recipient.ts';

const environment = parseEnvironment(suppressionListEnvironment);
const table = openTable(environment.TABLE_NAME);
const explanation = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  identities: openIdentityStore(table),
  suppressions: openSuppressionListStore(table),
  providerList: openProviderSuppressionList(environment.SES_TENANTS),
  sends: openSendListStore(table),
  timelines: openTimelineStore(table),
};

export const handler = bodilessEndpoint(async ({ headers, pathParameters, query }) => {
  const { contact, suppressions, ...answer } = await explainRecipient(
    {
      credential: presentedCredential(headers),
      email: parseParameters(endpoint.path, pathParameters).email,
      parse: () => parseParameters(endpoint.query, query),
    },
    explanation,
  );
  return jsonResponse(
    endpoint.answers[200].body.parse({
      ...answer,
      contact: contact && {
        createdAt: contact.createdAt,
        subscriptions: Object.entries(contact.subscriptions).map(([categoryKey, subscribed]) => ({
          categoryKey,
          subscribed,
        })),
      },
      suppressions: suppressions.map(toSuppressionView),
    }),
  );
});
