import * as z from 'zod/mini';
import { suppressionReasons } from '#shared/contacts/contact';
import { readContactPage } from '#shared/contacts/contact-list-store';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { sealCursor, unsealCursor } from '#shared/table/cursor';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { contactIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/contacts',
    access: { key: 'required', scope: ['recipients_read', 'manage_organization'] },
    query: z.strictObject({
      ...pageQueryFields,
      prefix: z._default(z.string().check(z.maxLength(254), z.toLowerCase()), ''),
    }),
    answers: {
      200: {
        body: pageSchema(
          z.object({
            id: contactIdSchema,
            email: z.string(),
            suppressedFor: z.array(z.enum(suppressionReasons)),
            createdAt: z.int(),
            updatedAt: z.int(),
          }),
        ),
        description: 'A page of contacts.',
        example: {
          data: [
            {
              id: exampleIds.contact,
              email: 'bob@example.com',
              suppressedFor: ['bounce'],
              createdAt: exampleTime,
              updatedAt: exampleTime,
            },
          ],
          nextCursor: null,
        },
      },
    },
    lambda: {
      stack: 'Recipients',
      tableActions: ['GetItem', 'BatchGetItem'],
      queriesIndexes: ['gsi2'],
    },
    words: {
      section: 'Recipients',
      summary: 'List contacts by address',
      description:
        'Sorted by address. Erased contacts are left out, and a contact created in the last few seconds may be missing. A page can have fewer contacts than `limit`, or none, and still have a `nextCursor`.',
      fields: {
        prefix: 'Only addresses that begin like this, ignoring case.',
        'data.id': 'The ID of the contact.',
        'data.email': 'The address of the contact.',
        suppressedFor:
          'Why the address gets no email: `bounce`, `complaint`, `manual` or `unsubscribe`. Empty if it is not suppressed.',
      },
      example: { query: { prefix: 'bob@', limit: '20' } },
    },
  },
  async ({ caller, query: { prefix, limit, cursor } }, { table }) => {
    const scope = { list: 'contacts', owner: caller.cursorOwner, filters: { prefix } };
    const after = unsealCursor(cursor, lastAddress, scope);
    const selection = { prefix, limit, after };
    const { contacts, next } = await readContactPage(table, caller.organizationId, selection);
    const data = contacts.map((contact) => ({
      ...contact,
      suppressedFor: suppressionReasons.filter((reason) => contact[reason] !== undefined),
    }));
    return { data, nextCursor: sealCursor(next, scope) };
  },
);

const lastAddress = z.string().check(z.minLength(1));
