import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { openNamedTemplates, templateIdOf } from '#shared/resend/named-templates';
import { serveResend } from '#shared/resend/serve-resend';
import { templateResult } from '#shared/resend/templates';
import { publishTemplate } from '#shared/templates/edit-template';
import { endpoint } from './endpoint.ts';

const templates = openNamedTemplates(parseEnvironment(tableEnvironment));

export const handler = serveResend(endpoint, templates, async ({ caller, path }, publishing) => {
  const id = await templateIdOf(path.id, caller.organizationId, publishing);
  return templateResult(await publishTemplate({ caller, path: { id }, headers: {} }, publishing));
});
