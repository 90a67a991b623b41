import { limitsEnvironment, parseEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody, readPath } from '#shared/http/parse-request';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openCategoryManagement } from '#shared/preferences/category-management';
import { openTable } from '#shared/table/table-client';
import { endpoint } from './endpoint.ts';
import { putPolicy } from './put-policy.ts';

const environment = parseEnvironment(limitsEnvironment);
const table = openTable(environment.TABLE_NAME);
const writing = {
  ...openCategoryManagement(table),
  policies: openOrganizationStore(table),
  limitsOfDeployment: environment.ORGANIZATION_LIMITS,
};

export const handler = jsonEndpoint(async ({ headers, pathParameters, readBody }) => {
  const policy = await putPolicy(
    presentedCredential(headers),
    readPath(endpoint.path, pathParameters).key,
    () => parseBody(endpoint.body, readBody()),
    writing,
  );
  return jsonResponse(endpoint.answers[200].body.parse(policy));
});
