import * as z from 'zod/mini';
import { noBody } from '#shared/http/response-body';

const credential = z.string().check(z.minLength(1), z.maxLength(200));

/** Body of POST /console/session: one of the two. JSON Schema says so by the number of properties. */
export const requestSchema = z
  .strictObject({
    /** An API key with `manage_organization`. */
    key: z.optional(credential),
    /** What stands behind the `#` of a sign-in link. */
    link: z.optional(credential),
  })
  .check(
    z.refine(({ key, link }) => key !== undefined || link !== undefined, {
      error: 'must be given, or link instead of it',
      path: ['key'],
    }),
    z.refine(({ key, link }) => key === undefined || link === undefined, {
      error: 'must not be given beside key: sign in with one of the two',
      path: ['link'],
    }),
  )
  .register(z.globalRegistry, { minProperties: 1, maxProperties: 1 });
export type CreateSessionRequest = z.output<typeof requestSchema>;

/** Response 204: the session is in the cookie. `shared/access/sign-in.ts` says how long it lasts. */
export const responseSchema = noBody;
