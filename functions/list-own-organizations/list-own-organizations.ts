import * as z from 'zod/mini';
import { readOrganizationsOf } from '#shared/access/people-store';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { pageSchema } from '#shared/table/list-position';
import { exampleIds } from '#shared/tokens/example-values';
import { organizationIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint(
  {
    route: 'GET /console/organizations',
    access: 'session',
    answers: {
      200: {
        body: pageSchema(
          z.object({
            id: organizationIdSchema,
            name: z.string(),
            role: z.string(),
            isCurrent: z.boolean(),
          }),
        ),
        description: 'The organizations.',
        example: {
          data: [
            { id: exampleIds.organization, name: 'Example Ltd', role: 'support', isCurrent: true },
          ],
          nextCursor: null,
        },
      },
    },
    lambda: {
      stack: 'Console',
      tableActions: ['GetItem', 'BatchGetItem'],
      queriesIndexes: ['gsi1'],
    },
    words: {
      section: 'Console',
      summary: 'List your organizations',
      description:
        'Those in which the address of the person who is signed in may sign in, by name. Empty if somebody signed in with an API key: that is of one organization. An invitation of the last second may be missing.',
      fields: {
        id: 'The ID of the organization.',
        name: 'The name of the organization.',
        role: 'The person’s role there.',
        isCurrent: 'Whether it’s the organization of the session.',
      },
    },
  },
  async ({ caller: { organizationId, apiKey, session } }, { table, now }) => {
    const { person } = apiKey;
    const own =
      person === undefined || person.entered !== undefined
        ? []
        : await readOrganizationsOf(table, person.email, session, now());
    return {
      data: own
        .map((one) => ({ ...one, isCurrent: one.id === organizationId }))
        .sort((one, other) => one.name.localeCompare(other.name, 'en')),
      nextCursor: null,
    };
  },
);
