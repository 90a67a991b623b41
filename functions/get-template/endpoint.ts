import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds, exampleTime } from '#shared/endpoints/example-values';
import { templateSchema } from '#shared/templates/template';
import { templateIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/templates/{id}',
  access: { key: 'required' },
  path: z.object({ id: templateIdSchema }),
  unmatchedPath: 'template_not_found',
  answers: {
    200: {
      body: templateSchema,
      description: 'The template.',
      headers: ['ETag'],
      example: {
        id: exampleIds.template,
        name: 'receipt',
        subject: 'Receipt {{order.id}}',
        content: 'Hello {{name}}',
        version: 1,
        createdAt: exampleTime,
        updatedAt: exampleTime,
      },
    },
  },
  errors: ['template_not_found'],
  isBeta: true,
  lambda: { stack: 'Templates', tableActions: ['GetItem', 'BatchGetItem'] },
  words: {
    section: 'Templates',
    summary: 'Read a template',
    description:
      'Send the `ETag` of the answer as `If-Match` with a change or deletion to be sure that nobody changed the template in between.',
    example: { path: { id: exampleIds.template } },
  },
});
