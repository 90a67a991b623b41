import * as z from 'zod/mini';
import { suppressionReasons } from '#shared/contacts/contact';
import { defineEndpoint, type RequestTo } from '#shared/endpoints/endpoint';
import { verdictOfSuppression, verdictSchema } from '#shared/send-history/verdict';
import {
  readSuppressions,
  suppressionPositionSchema,
} from '#shared/suppressions/suppression-list-store';
import {
  exampleSuppression,
  momentForms,
  suppressionFields,
} from '#shared/suppressions/suppression-reference';
import { suppressionViewSchema, toSuppressionView } from '#shared/suppressions/suppression-view';
import { sealCursor, unsealCursor } from '#shared/table/cursor';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';
import type { Table } from '#shared/table/table-client';
import { momentInQuery } from '#shared/timing/moment';

const declaration = defineEndpoint({
  route: 'GET /api/v1/suppressions',
  access: { key: 'required', scope: ['recipients_read', 'manage_organization'] },
  query: z.strictObject({
    ...pageQueryFields,
    reason: z.optional(z.enum(suppressionReasons)),
    from: z.optional(momentInQuery),
    until: z.optional(momentInQuery),
  }),
  answers: {
    200: {
      body: pageSchema(z.extend(suppressionViewSchema, { verdict: verdictSchema })),
      description: 'A page of suppressions.',
      example: {
        data: [{ ...exampleSuppression, verdict: verdictOfSuppression(exampleSuppression) }],
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
    section: 'Suppressions',
    summary: 'List suppressed addresses',
    description:
      'The suppressions of the organization, newest first. An address suppressed for two reasons has two entries.',
    fields: {
      ...suppressionFields('data'),
      'data.verdict': 'What the suppression means, and what to do next.',
      reason: 'Only suppressions with this reason.',
      from: `Suppressed at or after this moment: ${momentForms}`,
      until: 'Suppressed before this moment, in the same formats.',
    },
    example: { query: { reason: 'bounce', from: '2026-11-21', limit: '20' } },
  },
});

export const endpoint = defineEndpoint(declaration, async (request, reading) => {
  const { suppressions, nextCursor } = await listSuppressions(request, reading);
  const data = suppressions.map((suppression) => ({
    ...toSuppressionView(suppression),
    verdict: verdictOfSuppression(suppression),
  }));
  return { data, nextCursor };
});

export async function listSuppressions(
  { caller, query: { limit, cursor, ...filters } }: RequestTo<typeof declaration>,
  { table }: { readonly table: Table },
) {
  const scope = { list: 'suppressions', owner: caller.cursorOwner, filters };
  const before = unsealCursor(cursor, suppressionPositionSchema, scope);
  const { from: since, until, reason } = filters;
  const selection = { limit, before, reason, since, until };
  const { found, next } = await readSuppressions(table, caller.organizationId, selection);
  return { suppressions: found, nextCursor: sealCursor(next, scope) };
}
