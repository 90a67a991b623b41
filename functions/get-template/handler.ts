import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { WithHeaders } from '#shared/endpoints/answer';
import { serve } from '#shared/endpoints/serve';
import { etagOf } from '#shared/templates/change-template';
import { findTemplate, openTemplates } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

const reading = openTemplates(parseEnvironment(tableEnvironment));

export const handler = serve(endpoint, reading, async ({ caller, path }, { templates }) => {
  const template = await findTemplate(path.id, caller.organizationId, templates);
  return new WithHeaders(template, { ETag: etagOf(template) });
});
