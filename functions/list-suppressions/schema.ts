import * as z from 'zod/mini';
import { suppressionReasons } from '#shared/contacts/contact';
import { suppressionViewSchema } from '#shared/suppressions/suppression-view';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';
import { momentInQuery } from '#shared/timing/moment';

/** Query of GET /api/v1/suppressions. */
export const querySchema = z.strictObject({
  ...pageQueryFields,
  reason: z.optional(z.enum(suppressionReasons)),
  /** Suppressed at or after `from`, and before `until`. */
  from: z.optional(momentInQuery),
  until: z.optional(momentInQuery),
});
export type ListSuppressionsQuery = z.output<typeof querySchema>;

/** Response 200, newest first. An address with two reasons has two entries. */
export const responseSchema = pageSchema(suppressionViewSchema);
