import * as z from 'zod/mini';
import { suppressionReasons } from '#shared/contacts/contact';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { csvFile } from '#shared/http/response-body';

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/suppressions/export',
  access: { key: 'required', scope: 'manage_organization' },
  query: z.strictObject({
    cursor: z.optional(z.string()),
    reason: z.optional(z.enum(suppressionReasons)),
  }),
  answers: {
    200: { body: csvFile, description: 'The file.', headers: ['Content-Disposition', 'Link'] },
  },
  lambda: {
    stack: 'Recipients',
    writesAudit: true,
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi2'],
  },
  words: {
    section: 'Suppressions',
    summary: 'Export suppressions as a file',
    description: `CSV with the columns \`email\`, \`reason\`, \`at\` and \`diagnostic\`, newest first, 10,000 rows at most. A cell that a spreadsheet would run as a formula has an apostrophe in front, which an import takes off.

Erased persons are not in it: nobody knows whose their suppressions are. The audit says who exported.`,
    fields: {
      reason: 'Only those with this reason.',
      cursor: 'As the header `Link` of an earlier answer has it.',
    },
    example: { query: { reason: 'bounce' } },
  },
});

export type ExportSuppressionsQuery = z.output<typeof endpoint.query>;
