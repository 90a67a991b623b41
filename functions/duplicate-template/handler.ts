import { limitsEnvironment, parseEnvironment } from '#shared/config/environment';
import { WithHeaders } from '#shared/endpoints/answer';
import { serve } from '#shared/endpoints/serve';
import { etagOf } from '#shared/templates/change-template';
import { duplicateTemplate } from '#shared/templates/edit-template';
import { viewOf } from '#shared/templates/template-view';
import { openTemplates } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(limitsEnvironment);
const creation = {
  ...openTemplates(environment),
  limitsOfDeployment: environment.ORGANIZATION_LIMITS,
};

export const handler = serve(endpoint, creation, async (request) => {
  const template = await duplicateTemplate(request, creation);
  return new WithHeaders(viewOf(template), { ETag: etagOf(template) });
});
