import * as z from 'zod/mini';
import { noBody } from '#shared/http/response-body';

/** Path of DELETE /api/v1/contacts/{email}. */
export const pathSchema = z.object({ email: z.string() });

/** Query of DELETE /api/v1/contacts/{email}. */
export const querySchema = z.strictObject({
  /** `true`: the sends to the address are not only anonymised, they expire. */
  sends: z.optional(z.enum(['true', 'false'])),
});
export type EraseContactQuery = z.output<typeof querySchema>;

/** Response 204. */
export const responseSchema = noBody;
