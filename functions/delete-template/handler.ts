import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { serve } from '#shared/endpoints/serve';
import { ServiceError } from '#shared/errors/service-error';
import { changeTemplate } from '#shared/templates/change-template';
import type { Template } from '#shared/templates/template';
import { templateEntryOf } from '#shared/templates/template-audit';
import { openTemplates, type Templates } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

const deletion = openTemplates(parseEnvironment(tableEnvironment));

export const handler = serve(endpoint, deletion, deleteTemplate);

async function deleteTemplate(
  { caller, path: { id }, headers }: RequestTo<typeof endpoint>,
  { templates, now }: Templates,
): Promise<undefined> {
  const remove = async (before: Template) => {
    if (before.layoutUses) throw new ServiceError('layout_in_use');
    const entry = templateEntryOf(caller, { before }, now());
    return { outcome: await templates.delete(before, entry), after: before };
  };
  const target = { id, organizationId: caller.organizationId, ifMatch: headers['if-match'] };
  await changeTemplate(target, remove, templates);
}
