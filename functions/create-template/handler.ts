import { limitsEnvironment, parseEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { createdResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/parse-request';
import { etagOf } from '#shared/templates/change-template';
import { openTemplates } from '#shared/templates/templates';
import { createTemplate } from './create-template.ts';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(limitsEnvironment);
const templates = {
  ...openTemplates(environment),
  limitsOfDeployment: environment.ORGANIZATION_LIMITS,
};

export const handler = jsonEndpoint(async ({ readBody, headers }) => {
  const template = await createTemplate(
    presentedCredential(headers),
    () => parseBody(endpoint.body, readBody()),
    templates,
  );
  return createdResponse(endpoint.answers[201].body.parse(template), { ETag: etagOf(template) });
});
