import { openApiKeyStore } from '#shared/access/api-key-store';
import { parseEnvironment, suppressionListEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { bodilessEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseParameters } from '#shared/http/parse-request';
import { openProviderSuppressionList } from '#shared/suppressions/ses-suppression-list';
import { openSuppressionLiftStore } from '#shared/suppressions/suppression-lift-store';
import { openSuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { liftSuppression } from './lift-suppression.ts';

const environment = parseEnvironment(suppressionListEnvironment);
const table = openTable(environment.TABLE_NAME);
const lifting = {
  now: Date.now,
  apiKeys: openApiKeyStore(table),
  suppressions: openSuppressionListStore(table),
  lifts: openSuppressionLiftStore(table),
  providerList: openProviderSuppressionList(environment.SES_TENANTS),
};

export const handler = bodilessEndpoint(async ({ headers, pathParameters, query }) => {
  const lifted = await liftSuppression(
    {
      credential: presentedCredential(headers),
      email: parseParameters(endpoint.path, pathParameters).email,
      parse: () => parseParameters(endpoint.query, query),
    },
    lifting,
  );
  return jsonResponse(endpoint.answers[200].body.parse(lifted));
});
