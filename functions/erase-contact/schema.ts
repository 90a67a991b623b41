import * as z from 'zod/mini';

/** Query of DELETE /api/v1/contacts/{email}. */
export const querySchema = z.object({
  /** `true`: what was sent to the address is not only anonymised but forgotten. */
  sends: z.optional(z.enum(['true', 'false'])),
});
export type EraseContactQuery = z.output<typeof querySchema>;

/** Response 204: no body. */
export const responseSchema = z.undefined();
