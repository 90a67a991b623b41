import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serve } from '#shared/endpoints/serve';
import { renderManagementError } from '#shared/resend/resend-error';
import { templateIdOf, toResendTemplate } from '#shared/resend/templates';
import { openTable } from '#shared/table/table-client';
import { openTemplateAliasStore } from '#shared/templates/template-store';
import { findTemplate, openTemplates } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(tableEnvironment);
const templates = {
  ...openTemplates(environment),
  aliases: openTemplateAliasStore(openTable(environment.TABLE_NAME)),
};

export const handler = serve(
  endpoint,
  templates,
  async ({ caller: { organizationId }, path }, reading) => {
    const id = await templateIdOf(path.id, organizationId, reading);
    return toResendTemplate(await findTemplate(id, organizationId, reading.templates));
  },
  renderManagementError,
);
