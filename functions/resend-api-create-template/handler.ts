import { limitsEnvironment, parseEnvironment } from '#shared/config/environment';
import { serveResend } from '#shared/resend/serve-resend';
import { templateResult, toTemplateFields } from '#shared/resend/templates';
import { newTemplate, storeTemplate } from '#shared/templates/store-template';
import { openTemplates } from '#shared/templates/templates';
import { endpoint } from './endpoint.ts';

const environment = parseEnvironment(limitsEnvironment);
const creation = {
  ...openTemplates(environment),
  limitsOfDeployment: environment.ORGANIZATION_LIMITS,
};

export const handler = serveResend(endpoint, creation, async ({ caller, body }, creating) => {
  const fields = toTemplateFields(body);
  const now = creating.now();
  const template = newTemplate(caller.organizationId, fields, { isDraft: true, now });
  return templateResult(await storeTemplate(template, caller, creating));
});
