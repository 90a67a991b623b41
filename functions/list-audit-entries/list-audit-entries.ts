import * as z from 'zod/mini';
import { readActorNames } from '#shared/access/people-store';
import { auditEntrySchema } from '#shared/audit/audit-entry';
import { auditPositionSchema, listAuditEntries } from '#shared/audit/audit-store';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { sealCursor, unsealCursor } from '#shared/table/cursor';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';

const listedEntrySchema = z.extend(z.omit(auditEntrySchema, { isPerson: true }), {
  person: z.optional(z.string()),
});

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/audit',
    access: { key: 'required', scope: 'manage_organization' },
    query: z.strictObject(pageQueryFields),
    answers: {
      200: {
        body: pageSchema(listedEntrySchema),
        description: 'A page of entries.',
        example: {
          data: [
            {
              id: exampleIds.auditEntry,
              at: exampleTime,
              actor: exampleIds.apiKey,
              person: 'ann@example.com',
              action: 'api_key.updated',
              target: exampleIds.apiKey,
              before: { perMinuteCap: 60 },
              after: { perMinuteCap: 120 },
            },
          ],
          nextCursor: null,
        },
      },
    },
    lambda: { stack: 'Account', tableActions: ['GetItem', 'BatchGetItem', 'Query'] },
    words: {
      section: 'Organization',
      summary: 'List changes and who made them',
      description:
        'Newest first. Every change leaves an entry, stored in the same transaction. So does each sign-in, sign-out, sign-in link and export. No entry contains a secret or a recipient’s address.',
      fields: {
        'data.id': 'The ID of the entry.',
        at: 'When it happened, in epoch milliseconds.',
        actor:
          'The API key that made the change, or the ID of the person in `/api/v1/people`; `operator`; `notice_email`, for somebody who followed a link mailed to the address for notices; `anybody`, for a sign-in link that was asked for with an address; or `issuer`, for what the identity provider says about its people.',
        person:
          'The address of the person who did it, also after they were removed. Absent if it was a program, or somebody with an API key.',
        session: 'The console session in which the key was used, if any. This ID is not a secret.',
        action: 'What happened, for example `api_key.created`.',
        target: 'The ID or key of what was changed.',
        before: 'The changed values, as they were.',
        after: 'The changed values, as they became.',
      },
      example: { query: { limit: '20' } },
    },
  },
  async ({ caller, query }, { table, now }) => {
    const { limit, cursor } = query;
    const scope = { list: 'audit', owner: caller.cursorOwner };
    const before = unsealCursor(cursor, auditPositionSchema, scope);
    const range = { before, limit };
    const { entries, next } = await listAuditEntries(table, caller.organizationId, range, now());
    const personOf = await readActorNames(table, entries);
    const data = entries.map(({ isPerson: _, ...entry }) => ({ ...entry, ...personOf(entry) }));
    return { data, nextCursor: sealCursor(next, scope) };
  },
);
