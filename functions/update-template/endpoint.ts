import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds, exampleTime } from '#shared/endpoints/example-values';
import { templateSchema } from '#shared/templates/template';
import { templateFields } from '#shared/templates/template-fields';
import { templateIdSchema } from '#shared/tokens/resource-id';

/** A template may come back as it was read. */
const readOnly = z.optional(z.unknown());

export const endpoint = defineEndpoint({
  route: 'PUT /api/v1/templates/{id}',
  access: { key: 'required', scope: 'templates_manage' },
  path: z.object({ id: templateIdSchema }),
  unmatchedPath: 'template_not_found',
  headers: z.object({ 'if-match': z.optional(z.string()) }),
  body: z.pipe(
    z.strictObject({
      name: z.exactOptional(templateFields.name),
      subject: z.exactOptional(templateFields.subject),
      htmlContent: z.exactOptional(z.nullable(templateFields.htmlContent)),
      content: z.exactOptional(z.nullable(templateFields.content)),
      ...{ id: readOnly, version: readOnly, createdAt: readOnly, updatedAt: readOnly },
    }),
    z.transform(({ id, version, createdAt, updatedAt, ...changes }) => changes),
  ),
  answers: {
    200: {
      body: templateSchema,
      description: 'The changed template.',
      headers: ['ETag'],
      example: {
        id: exampleIds.template,
        name: 'receipt',
        subject: 'Your receipt {{order.id}}',
        content: 'Hello {{name}}',
        version: 2,
        createdAt: exampleTime,
        updatedAt: exampleTime + 60_000,
      },
    },
  },
  errors: ['template_not_found', 'template_name_taken', 'concurrent_change', 'version_mismatch'],
  isBeta: true,
  isLimited: true,
  lambda: {
    stack: 'Templates',
    tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem'],
  },
  words: {
    section: 'Templates',
    summary: 'Change a template',
    description:
      'Changes only the fields in the request. `null` removes a body, as long as the other one stays. With `If-Match`, the change is refused if the template has a different version.',
    example: {
      path: { id: exampleIds.template },
      headers: { 'if-match': '"1"' },
      body: { subject: 'Your receipt {{order.id}}' },
    },
  },
});
