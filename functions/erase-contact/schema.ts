import * as z from 'zod/mini';

/** Query of DELETE /api/v1/contacts/{email}. */
export const querySchema = z.object({
  /** `true`: the sends to the address are not only anonymised, they expire. */
  sends: z.optional(z.enum(['true', 'false'])),
});
export type EraseContactQuery = z.output<typeof querySchema>;
