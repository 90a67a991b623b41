import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serveResend } from '#shared/resend/serve-resend';
import { templateIdOf, templateResult } from '#shared/resend/templates';
import { openTable } from '#shared/table/table-client';
import { publishTemplate } from '#shared/templates/edit-template';
import { openTemplateAliasStore } from '#shared/templates/template-store';
import { openTemplates } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(tableEnvironment);
const templates = {
  ...openTemplates(environment),
  aliases: openTemplateAliasStore(openTable(environment.TABLE_NAME)),
};

export const handler = serveResend(endpoint, templates, async ({ caller, path }, publishing) => {
  const id = await templateIdOf(path.id, caller.organizationId, publishing);
  return templateResult(await publishTemplate({ caller, path: { id }, headers: {} }, publishing));
});
