import * as z from 'zod/mini';
import { suppressionReasons } from '#shared/contacts/contact';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import {
  exampleSuppression,
  momentForms,
  suppressionFields,
} from '#shared/suppressions/suppression-reference';
import { suppressionViewSchema } from '#shared/suppressions/suppression-view';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';
import { momentInQuery } from '#shared/timing/moment';

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/suppressions',
  access: { key: 'required', scope: 'manage_organization' },
  query: z.strictObject({
    ...pageQueryFields,
    reason: z.optional(z.enum(suppressionReasons)),
    from: z.optional(momentInQuery),
    until: z.optional(momentInQuery),
  }),
  answers: {
    200: {
      body: pageSchema(suppressionViewSchema),
      description: 'A page of suppressions.',
      example: { data: [exampleSuppression], nextCursor: null },
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
      reason: 'Only suppressions with this reason.',
      from: `Suppressed at or after this moment: ${momentForms}`,
      until: 'Suppressed before this moment, in the same formats.',
    },
    example: { query: { reason: 'bounce', from: '2026-11-21', limit: '20' } },
  },
});
