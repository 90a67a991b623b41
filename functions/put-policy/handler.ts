import { limitsEnvironment, parseEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { jsonResponse } from '#shared/http/http-response';
import { parseBody, readPath } from '#shared/http/parse-request';
import { openOrganizationStore } from '#shared/organizations/organization-store';
import { openCategoryManagement } from '#shared/preferences/category-management';
import { openTable } from '#shared/table/table-client';
import { putPolicy } from './put-policy.ts';
import { pathSchema, requestSchema, responseSchema } from './schema.ts';

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
    readPath(pathSchema, pathParameters).key,
    () => parseBody(requestSchema, readBody()),
    writing,
  );
  return jsonResponse(responseSchema.parse(policy));
});
