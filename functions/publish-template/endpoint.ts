import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleHash, exampleIds, exampleTime } from '#shared/endpoints/example-values';
import { templateViewSchema } from '#shared/templates/template-view';
import { templateWords } from '#shared/templates/template-words';
import { templateIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint({
  route: 'POST /api/v1/templates/{id}/publish',
  access: { key: 'required', scope: 'templates_manage' },
  path: z.object({ id: templateIdSchema }),
  unmatchedPath: 'template_not_found',
  headers: z.object({ 'if-match': z.optional(z.string()) }),
  answers: {
    200: {
      body: templateViewSchema,
      description: 'The published template.',
      headers: ['ETag'],
      example: {
        id: exampleIds.template,
        name: 'receipt',
        alias: 'receipt',
        subject: 'Your receipt {{order.id}}',
        content: 'Hello {{name}}',
        version: 2,
        publishedVersion: 2,
        versions: [{ version: 1, publishedAt: exampleTime }],
        contentHash: exampleHash,
        createdAt: exampleTime,
        updatedAt: exampleTime + 60_000,
      },
    },
  },
  errors: ['template_not_found', 'concurrent_change', 'version_mismatch'],
  isBeta: true,
  isLimited: true,
  lambda: {
    stack: 'Templates',
    tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
  },
  words: {
    section: 'Templates',
    summary: 'Publish a template',
    description:
      'Sends use the draft from now on. What they used before stays as a version that a send can name; the last 20 are kept. Without a draft, nothing changes. With `If-Match`, only the version that you have seen is published.',
    fields: templateWords,
    example: { path: { id: exampleIds.template }, headers: { 'if-match': '"2"' } },
  },
});
