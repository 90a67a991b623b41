import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serveResend } from '#shared/resend/serve-resend';
import { templateIdOf, templateResult, toTemplateChanges } from '#shared/resend/templates';
import { openTable } from '#shared/table/table-client';
import { updateTemplate } from '#shared/templates/edit-template';
import { openTemplateAliasStore } from '#shared/templates/template-store';
import { findTemplate, openTemplates } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(tableEnvironment);
const templates = {
  ...openTemplates(environment),
  aliases: openTemplateAliasStore(openTable(environment.TABLE_NAME)),
};

export const handler = serveResend(
  endpoint,
  templates,
  async ({ caller, path, body }, changing) => {
    const { organizationId } = caller;
    const id = await templateIdOf(path.id, organizationId, changing);
    const before = await findTemplate(id, organizationId, changing.templates);
    const changes = { ...toTemplateChanges(body, before), draft: true };
    const request = { caller, path: { id }, headers: {}, body: changes };
    return templateResult(await updateTemplate(request, changing));
  },
);
