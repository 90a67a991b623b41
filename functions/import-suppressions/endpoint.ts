import * as z from 'zod/mini';
import { suppressionReasons } from '#shared/contacts/contact';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { csvFile } from '#shared/http/response-body';
import { suppressionReason } from '#shared/suppressions/suppression-reference';

export const endpoint = defineEndpoint({
  route: 'POST /api/v1/suppressions/import',
  access: { key: 'required', scope: 'manage_organization' },
  query: z.strictObject({
    /** Of the rows that name none: SendGrid and Mailgun have a file for each reason. */
    reason: z.optional(z.enum(suppressionReasons)),
  }),
  body: csvFile,
  accepts: ['text/csv', 'application/octet-stream'],
  answers: {
    200: {
      body: z.object({
        /** Suppressions that are stored now and were not before. */
        imported: z.int(),
        /** Rows whose suppression was there already: its first cause stays. */
        unchanged: z.int(),
        /** Rows that were refused, by the line at which they begin, counted from 1. */
        refused: z.array(z.object({ line: z.int(), message: z.string() })),
        /** `false`: the time was over. Repeat the request with the same file to go on. */
        isComplete: z.boolean(),
      }),
      description: 'What became of the rows.',
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
  errors: ['import_in_progress'],
  lambda: {
    stack: 'Recipients',
    tableActions: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
    memoryMegabytes: 1024,
  },
  words: {
    section: 'Suppressions',
    summary: 'Import suppressions from a file',
    description: `Takes the exports of this service, SendGrid, Mailgun, Postmark and SES as they are: CSV, up to 10,000 rows and 6 MB. Its first line names the columns, and other columns than those of address, reason, time and diagnostic are ignored.

A row that cannot be read is refused by itself. What is suppressed already stays as it is. So importing a file again is safe, and goes on where a request ended with \`"isComplete": false\`. An organization has one import at a time, and each stores 200 rows a second.`,
    fields: {
      reason: `Of the rows that name none: SendGrid and Mailgun have a file for each. ${suppressionReason}`,
      imported: 'Suppressions that are stored now and were not before.',
      unchanged: 'Rows whose suppression was there already.',
      refused: 'The rows that cannot be read.',
      line: 'The line at which the row begins, from 1.',
      message: 'What is wrong with it.',
      isComplete: '`false`: the time was over. Repeat the request with the same file.',
    },
    example: {
      query: { reason: 'bounce' },
      body: 'email,reason\nbob@example.com,bounce\nbob,bounce\n',
    },
  },
});

export type ImportSuppressionsQuery = z.output<typeof endpoint.query>;
