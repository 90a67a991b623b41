import * as z from 'zod/mini';
import { suppressionReasons } from '#shared/contacts/contact';
import { pageQueryFields, pageSchema } from '#shared/table/list-position';
import { contactIdSchema } from '#shared/tokens/resource-id';

/** Query of GET /api/v1/contacts. */
export const querySchema = z.strictObject({
  ...pageQueryFields,
  /** How the address begins, in any case. */
  prefix: z._default(z.string().check(z.maxLength(254), z.toLowerCase()), ''),
});
export type ListContactsQuery = z.output<typeof querySchema>;

/** Response 200, by address. A page may have fewer contacts than the limit, or none, and still a `nextCursor`. */
export const responseSchema = pageSchema(
  z.object({
    id: contactIdSchema,
    email: z.string(),
    /** Why the address gets no email; empty if nothing keeps email from it. */
    suppressedFor: z.array(z.enum(suppressionReasons)),
    createdAt: z.int(),
    updatedAt: z.int(),
  }),
);
