import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { serveResend } from '#shared/resend/serve-resend';
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

export const handler = serveResend(
  endpoint,
  templates,
  async ({ caller: { organizationId }, path }, reading) => {
    const id = await templateIdOf(path.id, organizationId, reading);
    return toResendTemplate(await findTemplate(id, organizationId, reading.templates));
  },
);
