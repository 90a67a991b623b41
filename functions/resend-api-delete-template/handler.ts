import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { deleted } from '#shared/resend/management';
import { serveResend } from '#shared/resend/serve-resend';
import { templateIdOf } from '#shared/resend/templates';
import { openTable } from '#shared/table/table-client';
import { deleteTemplate } from '#shared/templates/edit-template';
import { openTemplateAliasStore } from '#shared/templates/template-store';
import { openTemplates } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(tableEnvironment);
const templates = {
  ...openTemplates(environment),
  aliases: openTemplateAliasStore(openTable(environment.TABLE_NAME)),
};

export const handler = serveResend(endpoint, templates, async ({ caller, path }, removing) => {
  const id = await templateIdOf(path.id, caller.organizationId, removing);
  await deleteTemplate({ caller, path: { id }, headers: {} }, removing);
  return deleted('template', id);
});
