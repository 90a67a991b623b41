import { openApiKeyStore } from '#shared/access/api-key-store';
import { parseEnvironment, suppressionListEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/parse-request';
import { openProviderSuppressionList } from '#shared/suppressions/ses-suppression-list';
import { openSuppressionLiftStore } from '#shared/suppressions/suppression-lift-store';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { toSuppressionView } from '#shared/suppressions/suppression-view';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { liftSuppressions } from './lift-suppressions.ts';

const environment = parseEnvironment(suppressionListEnvironment);
const table = openTable(environment.TABLE_NAME);
const lifting = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  suppressions: openSuppressionListStore(table),
  lifts: openSuppressionLiftStore(table),
  providerList: openProviderSuppressionList(environment.SES_TENANTS),
};

export const handler = jsonEndpoint(async ({ headers, readBody }) => {
  const { examples, ...result } = await liftSuppressions(
    presentedCredential(headers),
    () => parseBody(endpoint.body, readBody()),
    lifting,
  );
  return jsonResponse(
    endpoint.answers[200].body.parse({ ...result, examples: examples.map(toSuppressionView) }),
  );
});
