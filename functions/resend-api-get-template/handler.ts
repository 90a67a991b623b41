import { parseEnvironment, tableEnvironment } from '#shared/config/environment';
import { openNamedTemplates, templateIdOf } from '#shared/resend/named-templates';
import { serveResend } from '#shared/resend/serve-resend';
import { toResendTemplate } from '#shared/resend/templates';
import { findTemplate } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

const templates = openNamedTemplates(parseEnvironment(tableEnvironment));

export const handler = serveResend(
  endpoint,
  templates,
  async ({ caller: { organizationId }, path }, reading) => {
    const id = await templateIdOf(path.id, organizationId, reading);
    return toResendTemplate(await findTemplate(id, organizationId, reading.templates));
  },
);
