import { deleted } from '#shared/resend/management';
import { openNamedTemplates, templateIdOf } from '#shared/resend/named-templates';
import { serveResend } from '#shared/resend/serve-resend';
import { deleteTemplate } from '#shared/templates/edit-template';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  openNamedTemplates,
  async ({ caller, path }, removing) => {
    const id = await templateIdOf(path.id, caller.organizationId, removing);
    await deleteTemplate({ caller, path: { id }, headers: {} }, removing);
    return deleted('template', id);
  },
);
