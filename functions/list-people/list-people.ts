import * as z from 'zod/mini';
import { apiKeyPositionSchema } from '#shared/access/api-key-store';
import { readPeoplePage } from '#shared/access/people-store';
import { examplePerson, personViewSchema, personWords, toPersonView } from '#shared/access/person';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { sealCursor, unsealCursor } from '#shared/table/cursor';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/people',
    access: { key: 'required', scope: 'manage_organization' },
    query: z.strictObject(pageQueryFields),
    answers: {
      200: {
        body: pageSchema(personViewSchema),
        description: 'A page of people.',
        example: { data: [examplePerson], nextCursor: null },
      },
    },
    lambda: {
      stack: 'People',
      tableActions: ['GetItem', 'BatchGetItem'],
      queriesIndexes: ['gsi2'],
    },
    words: {
      section: 'People',
      summary: 'List people',
      description:
        'Those who sign in to the console with their address, latest invitations first. Somebody invited in the last second may be missing.',
      fields: personWords,
      example: { query: { limit: '20' } },
    },
  },
  async ({ caller, query: { limit, cursor } }, { table, now }) => {
    const scope = { list: 'people', owner: caller.cursorOwner };
    const before = unsealCursor(cursor, apiKeyPositionSchema, scope);
    const page = await readPeoplePage(table, caller.organizationId, { before, limit });
    return {
      data: page.people.map((person) => toPersonView(person, now())),
      nextCursor: sealCursor(page.next, scope),
    };
  },
);
