import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { templatePath } from '#shared/endpoints/resource-paths';
import { findTemplate, findVersion } from '#shared/templates/find-template';
import { exampleTemplate, templateWords } from '#shared/templates/template-reference';
import { answerOf, templateViewSchema } from '#shared/templates/template-view';
import { exampleIds } from '#shared/tokens/example-values';

/** Digits only, as versions are counted. */
const versionInQuery = z.pipe(
  z.string().check(z.regex(/^[1-9]\d{0,8}$/, { error: 'must be the number of a version' })),
  z.transform(Number),
);

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/templates/{id}',
    access: { key: 'required' },
    ...templatePath,
    query: z.strictObject({ version: z.optional(versionInQuery) }),
    answers: {
      200: {
        body: templateViewSchema,
        description: 'The template.',
        headers: ['ETag'],
        example: exampleTemplate,
      },
    },
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
  },
  async ({ caller, path, query }, { table }) => {
    const template = await findTemplate(table, caller.organizationId, path.id);
    const shown =
      query.version === undefined ? template : await findVersion(table, template, query.version);
    return answerOf(template, shown);
  },
);
