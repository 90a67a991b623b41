import { serve } from '#shared/endpoints/serve';
import { answerOf } from '#shared/templates/template-view';
import { findTemplate, findVersion, openTemplates } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

export const handler = serve(
  endpoint,
  openTemplates,
  async ({ caller, path, query }, { templates }) => {
    const template = await findTemplate(path.id, caller.organizationId, templates);
    const shown =
      query.version === undefined
        ? template
        : await findVersion(template, query.version, templates);
    return answerOf(template, shown);
  },
);
