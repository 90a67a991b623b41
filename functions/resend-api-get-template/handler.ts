import { openNamedTemplates, templateIdOf } from '#shared/resend/named-templates';
import { serveResend } from '#shared/resend/serve-resend';
import { toResendTemplate } from '#shared/resend/templates';
import { findTemplate } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(
  endpoint,
  openNamedTemplates,
  async ({ caller: { organizationId }, path }, reading) => {
    const id = await templateIdOf(path.id, organizationId, reading);
    return toResendTemplate(await findTemplate(id, organizationId, reading.templates));
  },
);
