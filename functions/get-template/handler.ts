import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { WithHeaders } from '#shared/endpoints/answer';
import { serve } from '#shared/endpoints/serve';
import { etagOf } from '#shared/templates/change-template';
import { viewOf } from '#shared/templates/template-view';
import { findTemplate, findVersion, openTemplates } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

const reading = openTemplates(parseEnvironment(tableEnvironment));

export const handler = serve(endpoint, reading, async ({ caller, path, query }, { templates }) => {
  const template = await findTemplate(path.id, caller.organizationId, templates);
  const shown =
    query.version === undefined ? template : await findVersion(template, query.version, templates);
  return new WithHeaders(viewOf(template, shown), { ETag: etagOf(shown) });
});
