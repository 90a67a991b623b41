import { serveResend } from '#shared/resend/serve-resend';
import { templateResult, toTemplateFields } from '#shared/resend/templates';
import { newTemplate, storeTemplate } from '#shared/templates/store-template';
import { openTemplates } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

export const handler = serveResend(endpoint, openTemplates, async ({ caller, body }, creating) => {
  const fields = toTemplateFields(body);
  const now = creating.now();
  const template = newTemplate(caller.organizationId, fields, { isDraft: true, now });
  const stored = await storeTemplate(template, caller, creating, { mayLackSubject: true });
  return templateResult(stored);
});
