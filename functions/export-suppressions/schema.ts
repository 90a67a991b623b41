import * as z from 'zod/mini';
import { suppressionReasons } from '#shared/contacts/contact';
import { csvFile } from '#shared/http/response-body';

/** Query of GET /api/v1/suppressions/export. */
export const querySchema = z.strictObject({
  cursor: z.optional(z.string()),
  reason: z.optional(z.enum(suppressionReasons)),
});
export type ExportSuppressionsQuery = z.output<typeof querySchema>;

/** Response 200. Suppressions of erased persons are not in it: nobody knows whose they are. */
export const responseSchema = csvFile;
