import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { csvFile } from '#shared/http/response-body';
import { sendFilters, sendFilterWords } from '#shared/sends/send-filters';
import { sendColumns } from './sends-csv.ts';

export const endpoint = defineEndpoint({
  route: 'GET /api/v1/sends/export',
  access: {
    key: 'required',
    scope: ['read_sends', 'manage_organization'],
    freshSession: true,
  },
  query: z.strictObject({ cursor: z.optional(z.string()), ...sendFilters }),
  answers: {
    200: { body: csvFile, description: 'The file.', headers: ['Content-Disposition', 'Link'] },
  },
  isLimited: true,
  lambda: {
    stack: 'Recipients',
    writesAudit: true,
    tableActions: ['GetItem', 'BatchGetItem'],
    queriesIndexes: ['gsi1', 'gsi2', 'gsi3'],
  },
  words: {
    section: 'Sends',
    summary: 'Export sends as a file',
    description: `CSV of the list that \`GET /api/v1/sends\` gives with the same filters, with the columns ${sendColumns.map((name) => `\`${name}\``).join(', ')}. A file has as many rows as fit into some seconds, possibly none: as long as there is a header \`Link\`, it leads to the next one. A cell that a spreadsheet would run as a formula starts with an apostrophe.

The audit records who exported.`,
    fields: {
      ...sendFilterWords,
      cursor: 'From the `Link` header of the previous file.',
    },
    example: { query: { status: 'failed' } },
  },
});
