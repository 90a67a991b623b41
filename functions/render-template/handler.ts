import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { renderOrRefuse } from '#shared/templates/render-or-refuse';
import { findTemplate, openTemplates } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

const rendering = openTemplates(parseEnvironment(tableEnvironment));

export const handler = serve(endpoint, rendering, async ({ caller, path, body }, { templates }) => {
  const template = await findTemplate(path.id, caller.organizationId, templates);
  return renderOrRefuse(template, body.variables);
});
