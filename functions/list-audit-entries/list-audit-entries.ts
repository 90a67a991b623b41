import * as z from 'zod/mini';
import {
  auditEntryViewSchema,
  auditEntryWords,
  exampleAuditEntry,
  toAuditViews,
} from '#shared/access/audit-view';
import { auditPositionSchema, listAuditEntries } from '#shared/audit/audit-store';
import { auditFilters, auditFilterWords, personIdOf } from '#shared/endpoints/audit-query';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { sealCursor, unsealCursor } from '#shared/table/cursor';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';

const { id, person, ...words } = auditEntryWords;

export const endpoint = defineEndpoint(
  {
    route: 'GET /api/v1/audit',
    access: { key: 'required', scope: 'manage_organization' },
    query: z.strictObject({ ...pageQueryFields, ...auditFilters }),
    answers: {
      200: {
        body: pageSchema(auditEntryViewSchema),
        description: 'A page of entries.',
        example: { data: [exampleAuditEntry], nextCursor: null },
      },
    },
    lambda: {
      stack: 'Account',
      tableActions: ['GetItem', 'BatchGetItem', 'Query'],
      queriesIndexes: ['gsi2'],
    },
    words: {
      section: 'Organization',
      summary: 'List changes and who made them',
      description:
        'Newest first. Every change leaves an entry, stored in the same transaction. So does each sign-in, sign-out, sign-in link and export. No entry contains a secret or a recipient’s address.',
      fields: { ...words, ...auditFilterWords, 'data.id': id, 'data.person': person },
      example: { query: { limit: '20' } },
    },
  },
  async ({ caller, query: { limit, cursor, ...filters } }, { table, now }) => {
    const { organizationId, cursorOwner: owner } = caller;
    const person = personIdOf(organizationId, filters.person);
    const scope = { list: 'audit', owner, filters: { person } };
    const before = unsealCursor(cursor, auditPositionSchema, scope);
    const range = { before, limit, person };
    const { entries, next } = await listAuditEntries(table, organizationId, range, now());
    return { data: await toAuditViews(table, entries), nextCursor: sealCursor(next, scope) };
  },
);
