import * as z from 'zod/mini';

/** Environment of the functions that know the sessions of the console. */
export const sessionEnvironment = z.object({
  /** `true` in the local twin alone: browsers come without TLS. */
  PLAIN_HTTP_SESSIONS: z._default(z.stringbool(), false),
});
