import { limitsEnvironment, parseEnvironment } from '#shared/config/environment';
import { presentedCredential } from '#shared/http/credential';
import { jsonEndpoint } from '#shared/http/http-endpoint';
import { createdResponse } from '#shared/http/http-response';
import { parseBody } from '#shared/http/parse-request';
import { etagOf } from '#shared/templates/change-template';
import { openTemplates } from '#shared/templates/templates';
import { createTemplate } from './create-template.ts';
import { requestSchema, responseSchema } from './schema.ts';

const environment = parseEnvironment(limitsEnvironment);
const templates = {
  ...openTemplates(environment),
  limitsOfDeployment: environment.ORGANIZATION_LIMITS,
};

export const handler = jsonEndpoint(async ({ readBody, headers }) => {
  const template = await createTemplate(
    presentedCredential(headers),
    () => parseBody(requestSchema, readBody()),
    templates,
  );
  return createdResponse(responseSchema.parse(template), { ETag: etagOf(template) });
});
