import { defineEndpoint } from '#shared/endpoints/endpoint';
import { templateDeclaration } from '#shared/resend/management';
import {
  exampleTemplateResult,
  namedTemplatePath,
  resendTemplateWords,
  templateResult,
  templateResultSchema,
} from '#shared/resend/templates';
import { changesTemplate } from '#shared/templates/change-template';
import { publishTemplate } from '#shared/templates/edit-template';
import { findTemplateId } from '#shared/templates/find-template';

export const endpoint = defineEndpoint(
  {
    ...templateDeclaration,
    route: 'POST /resend/templates/{id}/publish',
    ...namedTemplatePath,
    answers: {
      200: {
        body: templateResultSchema,
        description: 'Sends take its newest content.',
        example: exampleTemplateResult,
      },
    },
    errors: ['concurrent_change'],
    isLimited: true,
    lambda: { stack: 'Resend', ...changesTemplate },
    words: {
      section: 'Resend',
      summary: 'Publish a template, as with Resend',
      description: 'By its ID or its alias. Without a draft, nothing changes.',
      fields: resendTemplateWords,
      example: { path: { id: 'receipt' } },
    },
  },
  async ({ caller, path }, service) => {
    const id = await findTemplateId(service.table, caller.organizationId, path.id);
    return templateResult(await publishTemplate({ caller, path: { id }, headers: {} }, service));
  },
);
