import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleHash, exampleIds, exampleTime } from '#shared/endpoints/example-values';
import { templateViewSchema } from '#shared/templates/template-view';
import { templateWords } from '#shared/templates/template-words';
import { templateIdSchema } from '#shared/tokens/resource-id';

/** Digits only: a version is counted. */
const versionInQuery = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,8}$/, { error: 'must be the number of a version' })),
  z.transform(Number),
);

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/templates/{id}',
  access: { key: 'required' },
  path: z.object({ id: templateIdSchema }),
  query: z.strictObject({ version: z.optional(versionInQuery) }),
  unmatchedPath: 'template_not_found',
  answers: {
    200: {
      body: templateViewSchema,
      description: 'The template.',
      headers: ['ETag'],
      example: {
        id: exampleIds.template,
        name: 'receipt',
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
  errors: ['template_not_found'],
  isBeta: true,
  lambda: { stack: 'Templates', tableActions: ['GetItem', 'BatchGetItem'] },
  words: {
    section: 'Templates',
    summary: 'Read a template',
    description:
      'Returns the newest content, which may be a draft; `version` asks for a version that sends use or used before. Send the `ETag` of the answer as `If-Match` with a change or deletion to be sure that the template hasn’t changed in between.',
    fields: templateWords,
    example: { path: { id: exampleIds.template } },
  },
});
