import { openNamedTemplates, templateIdOf } from '#shared/resend/named-templates';
import { serveResend } from '#shared/resend/serve-resend';
import { templateResult, toTemplateChanges } from '#shared/resend/templates';
import { updateTemplate } from '#shared/templates/edit-template';
import { findTemplate } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  openNamedTemplates,
  async ({ caller, path, body }, changing) => {
    const { organizationId } = caller;
    const id = await templateIdOf(path.id, organizationId, changing);
    const before = await findTemplate(id, organizationId, changing.templates);
    const changes = { ...toTemplateChanges(body, before), draft: true };
    const request = { caller, path: { id }, headers: {}, body: changes };
    return templateResult(await updateTemplate(request, changing, { mayLackSubject: true }));
  },
);
