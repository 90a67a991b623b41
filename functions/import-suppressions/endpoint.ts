import * as z from 'zod/mini';
import { suppressionReasons } from '#shared/contacts/contact';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { csvFile } from '#shared/http/response-body';
import { mostRows, rowsPerSecond } from '#shared/suppressions/import-row';
import { suppressionReason } from '#shared/suppressions/suppression-reference';

export const endpoint = defineEndpoint({
  route: 'POST /api/v1/suppressions/import',
  access: { key: 'required', scope: 'manage_organization' },
  query: z.strictObject({
    reason: z.optional(z.enum(suppressionReasons)),
  }),
  body: csvFile,
  accepts: ['text/csv', 'application/octet-stream'],
  answers: {
    200: {
      body: z.object({
        imported: z.int(),
        unchanged: z.int(),
        refused: z.array(z.object({ line: z.int(), message: z.string() })),
        isComplete: z.boolean(),
      }),
      description: 'What happened to the rows.',
      example: {
        imported: 1,
        unchanged: 0,
        refused: [
          { line: 3, message: 'the address must be an email address such as name@example.com' },
        ],
        isComplete: true,
      },
    },
  },
  errors: ['import_in_progress', 'contact_limit_reached'],
  isLimited: true,
  lambda: {
    stack: 'Recipients',
    tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    memoryMegabytes: 1024,
  },
  words: {
    section: 'Suppressions',
    summary: 'Import suppressions from a file',
    description: `Takes exports of this service, SendGrid, Mailgun, Postmark and SES as they are: CSV, up to ${mostRows} rows and 6 MB. The first line names the columns; those other than address, reason, time and diagnostic are ignored.

Only the rows that can’t be read are refused. An address that is already suppressed stays as it is, so it is safe to import a file again; that also continues an import that ended with \`"isComplete": false\`. An import sends no \`suppression.added\`: you have the rows. An organization runs one import at a time, at ${rowsPerSecond} rows a second.`,
    fields: {
      reason: `For rows without a reason: SendGrid and Mailgun have a file for each. ${suppressionReason}`,
      imported: 'New suppressions.',
      unchanged: 'Rows whose suppression existed before: its first cause stays.',
      refused: 'Rows that can’t be read.',
      line: 'The line at which the row begins, counted from 1.',
      message: 'What is wrong with it.',
      isComplete: '`false`: the time ran out. Repeat the request with the same file.',
    },
    example: {
      query: { reason: 'bounce' },
      body: 'email,reason\nbob@example.com,bounce\nbob,bounce\n',
    },
  },
});
