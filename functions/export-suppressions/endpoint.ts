import * as z from 'zod/mini';
import { suppressionReasons } from '#shared/contacts/contact';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { csvFile } from '#shared/http/response-body';
import { mostRows } from '#shared/suppressions/import-row';

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/suppressions/export',
  access: { key: 'required', scope: 'manage_organization', freshSession: true },
  query: z.strictObject({
    cursor: z.optional(z.string()),
    reason: z.optional(z.enum(suppressionReasons)),
  }),
  answers: {
    200: { body: csvFile, description: 'The file.', headers: ['Content-Disposition', 'Link'] },
  },
  isLimited: true,
  lambda: {
    stack: 'Recipients',
    writesAudit: true,
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi2'],
  },
  words: {
    section: 'Suppressions',
    summary: 'Export suppressions as a file',
    description: `CSV with the columns \`email\`, \`reason\`, \`at\` and \`diagnostic\`, newest first, up to ${mostRows} rows a file. A cell that a spreadsheet would run as a formula starts with an apostrophe, which an import removes.

Erased people aren’t in it: their addresses are gone. The audit records who exported.`,
    fields: {
      reason: 'Only suppressions with this reason.',
      cursor: 'From the `Link` header of the previous file.',
    },
    example: { query: { reason: 'bounce' } },
  },
});
