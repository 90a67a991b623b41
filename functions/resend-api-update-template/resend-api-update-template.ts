import { defineEndpoint } from '#shared/endpoints/endpoint';
import { templateDeclaration } from '#shared/resend/management';
import {
  exampleTemplateResult,
  namedTemplatePath,
  resendTemplateChangeSchema,
  resendTemplateWords,
  templateResult,
  templateResultSchema,
  toTemplateChanges,
} from '#shared/resend/templates';
import { updateTemplate } from '#shared/templates/edit-template';
import { findTemplate, findTemplateId } from '#shared/templates/find-template';

export const endpoint = defineEndpoint(
  {
    ...templateDeclaration,
    access: { ...templateDeclaration.access, freshSession: ['reply_to'] },
    route: 'PATCH /resend/templates/{id}',
    ...namedTemplatePath,
    body: resendTemplateChangeSchema,
    answers: {
      200: {
        body: templateResultSchema,
        description: 'The template is changed.',
        example: exampleTemplateResult,
      },
    },
    errors: ['template_name_taken', 'template_alias_taken', 'concurrent_change'],
    isLimited: true,
    lambda: {
      stack: 'Resend',
      tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'],
    },
    words: {
      section: 'Resend',
      summary: 'Change a template, as with Resend',
      description:
        'By its ID or its alias. Content waits as a draft until it is published; `name` and `alias` are in force at once.',
      fields: resendTemplateWords,
      example: { path: { id: 'receipt' }, body: { subject: 'Your receipt' } },
    },
  },
  async ({ caller, path, body }, service) => {
    const { organizationId } = caller;
    const id = await findTemplateId(service.table, organizationId, path.id);
    const before = await findTemplate(service.table, organizationId, id);
    const changes = { ...toTemplateChanges(body, before), draft: true };
    const request = { caller, path: { id }, headers: {}, body: changes };
    return templateResult(await updateTemplate(request, service, { mayLackSubject: true }));
  },
);
