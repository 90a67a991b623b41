import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { templatePath } from '#shared/endpoints/resource-paths';
import { duplicateTemplate } from '#shared/templates/edit-template';
import { templateFields } from '#shared/templates/template-fields';
import { exampleTemplate, templateWords } from '#shared/templates/template-reference';
import { answerOf, templateViewSchema } from '#shared/templates/template-view';
import { exampleIds } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint(
  {
    route: 'POST /api/v1/templates/{id}/duplicate',
    access: { key: 'required', scope: 'templates_manage' },
    ...templatePath,
    body: z.strictObject({
      name: templateFields.name,
      alias: z.exactOptional(templateFields.alias),
      draft: z._default(z.boolean(), false),
    }),
    answers: {
      201: {
        body: templateViewSchema,
        description: 'The copy.',
        headers: ['ETag'],
        example: { ...exampleTemplate, name: 'receipt for shops' },
      },
    },
    errors: [
      'template_name_taken',
      'template_alias_taken',
      'too_many_templates',
      'concurrent_change',
    ],
    isBeta: true,
    isLimited: true,
    lambda: {
      stack: 'Templates',
      tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
      queriesIndexes: ['gsi2'],
    },
    words: {
      section: 'Templates',
      summary: 'Duplicate a template',
      description:
        'Creates a template with the same content (the draft’s, if there is one), a new name and no earlier versions. It can be sent at once, unless `draft` is true.',
      fields: templateWords,
      example: { path: { id: exampleIds.template }, body: { name: 'receipt for shops' } },
    },
  },
  async (request, service) => answerOf(await duplicateTemplate(request, service)),
);
