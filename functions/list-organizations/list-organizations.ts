import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleOrganization } from '#shared/organizations/organization-reference';
import {
  organizationPositionSchema,
  readOrganizationPage,
} from '#shared/organizations/organization-store';
import { organizationViewSchema } from '#shared/organizations/organization-view';
import { sealCursor, unsealCursor } from '#shared/table/cursor';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/organizations',
    access: 'operator',
    query: z.strictObject(pageQueryFields),
    answers: {
      200: {
        body: pageSchema(organizationViewSchema),
        description: 'A page of organizations.',
        example: {
          data: [exampleOrganization],
          nextCursor: null,
        },
      },
    },
    lambda: {
      stack: 'Organizations',
      tableActions: ['GetItem', 'BatchGetItem'],
      queriesIndexes: ['gsi2'],
    },
    words: {
      section: 'Operator',
      summary: 'List organizations',
      description: 'Newest first.',
      example: { query: { limit: '20' } },
    },
  },
  async ({ caller: owner, query: { limit, cursor } }, { table }) => {
    const scope = { list: 'organizations', owner };
    const before = unsealCursor(cursor, organizationPositionSchema, scope);
    const { organizations: data, next } = await readOrganizationPage(table, { before, limit });
    return { data, nextCursor: sealCursor(next, scope) };
  },
);
