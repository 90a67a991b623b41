import * as z from 'zod/mini';

/** Body of POST /console/session/confirm. */
export const requestSchema = z.strictObject({
  /** The API key that the session began with. */
  key: z.string().check(z.minLength(1), z.maxLength(200)),
});
export type ConfirmSessionRequest = z.output<typeof requestSchema>;

/** Response 200; the session itself is in the cookie. `shared/access/sign-in.ts` says how long it counts. */
export const responseSchema = z.object({ confirmedUntil: z.int() });
