import { limitsEnvironment, parseEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { createdResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/parse-request';
import { openCategoryManagement } from '#shared/preferences/category-management';
import { openTable } from '#shared/table/table-client';
import { createCategory } from './create-category.ts';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(limitsEnvironment);
const management = {
  ...openCategoryManagement(openTable(environment.TABLE_NAME)),
  limitsOfDeployment: environment.ORGANIZATION_LIMITS,
};

export const handler = jsonEndpoint(async ({ headers, readBody }) => {
  const category = await createCategory(
    presentedCredential(headers),
    () => parseBody(endpoint.body, readBody()),
    management,
  );
  return createdResponse(endpoint.answers[201].body.parse(category));
});
