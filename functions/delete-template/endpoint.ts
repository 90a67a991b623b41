import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds } from '#shared/endpoints/example-values';
import { templateIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint({
  route: 'DELETE /api/v1/templates/{id}',
  access: { key: 'required', scope: 'templates_manage' },
  path: z.object({ id: templateIdSchema }),
  unmatchedPath: 'template_not_found',
  headers: z.object({ 'if-match': z.optional(z.string()) }),
  answers: { 204: { description: 'Deleted.' } },
  errors: ['template_not_found', 'layout_in_use', 'concurrent_change', 'version_mismatch'],
  isBeta: true,
  isLimited: true,
  lambda: {
    stack: 'Templates',
    tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
  words: {
    section: 'Templates',
    summary: 'Delete a template',
    description:
      'Its name and alias become free. Emails already sent from it stay as they are. With `If-Match`, the deletion is refused if the template has a different version.',
    example: { path: { id: exampleIds.template }, headers: { 'if-match': '"2"' } },
  },
});
