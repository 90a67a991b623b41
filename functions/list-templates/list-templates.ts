import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { sealCursor, unsealCursor } from '#shared/table/cursor';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';
import { templateWords } from '#shared/templates/template-reference';
import { readTemplatePage, templatePositionSchema } from '#shared/templates/template-store';
import { templateSummarySchema } from '#shared/templates/template-view';
import { exampleHash, exampleIds, exampleTime } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/templates',
    access: { key: 'required' },
    query: z.strictObject(pageQueryFields),
    answers: {
      200: {
        body: pageSchema(templateSummarySchema),
        description: 'A page of templates.',
        example: {
          data: [
            {
              id: exampleIds.template,
              name: 'receipt',
              subject: 'Receipt {{order.id}}',
              version: 1,
              publishedVersion: 1,
              contentHash: exampleHash,
              createdAt: exampleTime,
              updatedAt: exampleTime,
            },
          ],
          nextCursor: null,
        },
      },
    },
    isBeta: true,
    lambda: {
      stack: 'Templates',
      tableActions: ['GetItem', 'BatchGetItem'],
      queriesIndexes: ['gsi2'],
    },
    words: {
      section: 'Templates',
      summary: 'List templates',
      description: 'Newest first, without bodies.',
      fields: templateWords,
      example: { query: { limit: '20' } },
    },
  },
  async ({ caller, query }, { table }) => {
    const { organizationId, cursorOwner: owner } = caller;
    const scope = { list: 'templates', owner };
    const before = unsealCursor(query.cursor, templatePositionSchema, scope);
    const range = { before, limit: query.limit };
    const { templates, next } = await readTemplatePage(table, organizationId, range);
    return { data: templates, nextCursor: sealCursor(next, scope) };
  },
);
