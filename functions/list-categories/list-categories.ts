import { defineEndpoint } from '#shared/endpoints/endpoint';
import { categoryWords, exampleCategory } from '#shared/preferences/category-reference';
import { listCategories } from '#shared/preferences/category-store';
import { categorySchema } from '#shared/preferences/preferences';
import { pageSchema } from '#shared/table/list-position';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/categories',
    access: { key: 'required', scope: ['settings_read', 'manage_organization'] },
    answers: {
      200: {
        body: pageSchema(categorySchema),
        description: 'The categories.',
        example: { data: [exampleCategory], nextCursor: null },
      },
    },
    lambda: { stack: 'Account', tableActions: ['GetItem', 'Query'] },
    words: {
      section: 'Organization',
      summary: 'List categories',
      description: 'All of them on one page, ordered by key.',
      fields: categoryWords,
    },
  },
  async ({ caller }, { table }) => ({
    data: await listCategories(table, caller.organizationId),
    nextCursor: null,
  }),
);
