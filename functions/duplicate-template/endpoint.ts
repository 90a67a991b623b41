import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleHash, exampleIds, exampleTime } from '#shared/endpoints/example-values';
import { templateFields } from '#shared/templates/template-fields';
import { templateViewSchema } from '#shared/templates/template-view';
import { templateWords } from '#shared/templates/template-words';
import { templateIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint({
  route: 'POST /api/v1/templates/{id}/duplicate',
  access: { key: 'required', scope: 'templates_manage' },
  path: z.object({ id: templateIdSchema }),
  unmatchedPath: 'template_not_found',
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
      example: {
        id: exampleIds.template,
        name: 'receipt for shops',
        subject: 'Receipt {{order.id}}',
        content: 'Hello {{name}}',
        version: 1,
        publishedVersion: 1,
        versions: [],
        contentHash: exampleHash,
        createdAt: exampleTime,
        updatedAt: exampleTime,
      },
    },
  },
  errors: [
    'template_not_found',
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
});
