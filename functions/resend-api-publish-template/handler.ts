import { openNamedTemplates, templateIdOf } from '#shared/resend/named-templates';
import { serveResend } from '#shared/resend/serve-resend';
import { templateResult } from '#shared/resend/templates';
import { publishTemplate } from '#shared/templates/edit-template';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  openNamedTemplates,
  async ({ caller, path }, publishing) => {
    const id = await templateIdOf(path.id, caller.organizationId, publishing);
    return templateResult(await publishTemplate({ caller, path: { id }, headers: {} }, publishing));
  },
);
