import * as z from 'zod/mini';

/** Response 201. `shared/access/sign-in.ts` says how long a link lasts. */
export const responseSchema = z.object({
  /** Below the address of the service. What stands behind `#` is sent to nobody until it is used. */
  path: z.string(),
  expiresAt: z.int(),
});
