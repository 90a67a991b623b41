import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { WithHeaders } from '#shared/endpoints/answer';
import { serve } from '#shared/endpoints/serve';
import { etagOf } from '#shared/templates/change-template';
import { publishTemplate } from '#shared/templates/edit-template';
import { viewOf } from '#shared/templates/template-view';
import { openTemplates } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

const templates = openTemplates(parseEnvironment(tableEnvironment));

export const handler = serve(endpoint, templates, async (request) => {
  const template = await publishTemplate(request, templates);
  return new WithHeaders(viewOf(template), { ETag: etagOf(template) });
});
