import { defineEndpoint } from '#shared/endpoints/endpoint';
import { deleted, deletedSchema, templateDeclaration } from '#shared/resend/management';
import {
  exampleTemplateResult,
  namedTemplatePath,
  resendTemplateWords,
} from '#shared/resend/templates';
import { changesTemplate } from '#shared/templates/change-template';
import { deleteUnusedTemplate } from '#shared/templates/edit-template';
import { findTemplateId } from '#shared/templates/find-template';

export const endpoint = defineEndpoint(
  {
    ...templateDeclaration,
    route: 'DELETE /resend/templates/{id}',
    ...namedTemplatePath,
    answers: {
      200: {
        body: deletedSchema('template'),
        description: 'The template is deleted.',
        example: { ...exampleTemplateResult, deleted: true },
      },
    },
    errors: ['layout_in_use', 'concurrent_change'],
    isLimited: true,
    lambda: { stack: 'Resend', ...changesTemplate },
    words: {
      section: 'Resend',
      summary: 'Delete a template, as with Resend',
      description: 'By its ID or its alias. Its name and alias become free.',
      fields: resendTemplateWords,
      example: { path: { id: 'receipt' } },
    },
  },
  async ({ caller, path }, service) => {
    const id = await findTemplateId(service.table, caller.organizationId, path.id);
    await deleteUnusedTemplate({ caller, path: { id }, headers: {} }, service);
    return deleted('template', id);
  },
);
