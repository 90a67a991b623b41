import { defineEndpoint } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import { templateDeclaration } from '#shared/resend/management';
import {
  copyNameOf,
  exampleTemplateResult,
  namedTemplatePath,
  resendTemplateWords,
  templateResult,
  templateResultSchema,
} from '#shared/resend/templates';
import { duplicateTemplate } from '#shared/templates/edit-template';
import { findTemplate, findTemplateId } from '#shared/templates/find-template';

export const endpoint = defineEndpoint(
  {
    ...templateDeclaration,
    route: 'POST /resend/templates/{id}/duplicate',
    ...namedTemplatePath,
    answers: {
      200: {
        body: templateResultSchema,
        description: 'The copy, a draft.',
        example: exampleTemplateResult,
      },
    },
    errors: ['template_name_taken', 'too_many_templates', 'concurrent_change'],
    isLimited: true,
    lambda: {
      stack: 'Resend',
      tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
      queriesIndexes: ['gsi2'],
    },
    words: {
      section: 'Resend',
      summary: 'Duplicate a template, as with Resend',
      description:
        'By its ID or its alias. The copy has a name of its own, such as `receipt (copy)`, and no alias.',
      fields: resendTemplateWords,
      example: { path: { id: 'receipt' } },
    },
  },
  async ({ caller, path }, service) => {
    const { organizationId } = caller;
    const id = await findTemplateId(service.table, organizationId, path.id);
    const { name } = await findTemplate(service.table, organizationId, id);
    for (let copy = 1; copy < maxCopies; copy += 1) {
      try {
        const body = { name: copyNameOf(name, copy), draft: true };
        return templateResult(await duplicateTemplate({ caller, path: { id }, body }, service));
      } catch (error) {
        const isTaken = error instanceof ServiceError && error.code === 'template_name_taken';
        if (!isTaken) throw error;
      }
    }
    throw new ServiceError('template_name_taken');
  },
);

const maxCopies = 20;
