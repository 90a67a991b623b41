import * as z from 'zod/mini';
import { suppressionReasons } from '#shared/contacts/contact';
import { csvFile } from '#shared/http/response-body';

/** Query of POST /api/v1/suppressions/import. */
export const querySchema = z.strictObject({
  /** Of the rows that name none: SendGrid and Mailgun have a file for each reason. */
  reason: z.optional(z.enum(suppressionReasons)),
});
export type ImportSuppressionsQuery = z.output<typeof querySchema>;

/** Body of POST /api/v1/suppressions/import. `read-import.ts` says how many rows it may have. */
export const requestSchema = csvFile;

/** Response 200. */
export const responseSchema = z.object({
  /** Suppressions that are stored now and were not before. */
  imported: z.int(),
  /** Rows whose suppression was there already: its first cause stays. */
  unchanged: z.int(),
  /** Rows that were refused, by the line at which they begin, counted from 1. */
  refused: z.array(z.object({ line: z.int(), message: z.string() })),
  /** `false`: the time was over. Repeat the request with the same file to go on. */
  isComplete: z.boolean(),
});
