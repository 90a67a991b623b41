import { ServiceError } from '#shared/errors/service-error';
import { openNamedTemplates, templateIdOf } from '#shared/resend/named-templates';
import { serveResend } from '#shared/resend/serve-resend';
import { copyNameOf, templateResult } from '#shared/resend/templates';
import { duplicateTemplate } from '#shared/templates/edit-template';
import { findTemplate } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

const mostCopies = 20;

export const handler = serveResend(
  endpoint,
  openNamedTemplates,
  async ({ caller, path }, creating) => {
    const { organizationId } = caller;
    const id = await templateIdOf(path.id, organizationId, creating);
    const { name } = await findTemplate(id, organizationId, creating.templates);
    for (let copy = 1; copy < mostCopies; copy += 1) {
      try {
        const body = { name: copyNameOf(name, copy), draft: true };
        return templateResult(await duplicateTemplate({ caller, path: { id }, body }, creating));
      } catch (error) {
        const isTaken = error instanceof ServiceError && error.code === 'template_name_taken';
        if (!isTaken) throw error;
      }
    }
    throw new ServiceError('template_name_taken');
  },
);
