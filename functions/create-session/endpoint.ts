import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds } from '#shared/endpoints/example-values';

const credential = z.string().check(z.minLength(1), z.maxLength(200));

export const endpoint = defineEndpoint({
  route: 'POST /console/session',
  access: 'anybody',
  body: z
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
    .register(z.globalRegistry, { minProperties: 1, maxProperties: 1 }),
  answers: {
    204: {
      description: 'You are signed in. The session is in the cookie.',
      headers: ['Set-Cookie'],
    },
  },
  errors: ['invalid_api_key', 'missing_scope', 'link_not_found', 'concurrent_change'],
  lambda: { stack: 'Console', tableActions: ['GetItem'], signsIn: true, writesAudit: true },
  words: {
    section: 'Console',
    summary: 'Sign in to the console',
    description:
      'With an API key that has `manage_organization`, or with a sign-in link, which works once. The answer sets the cookie `__Host-session`: `HttpOnly`, `Secure`, `SameSite=Strict`, for 12 hours. The browser sends it with what the console asks the API, in place of the key, and requests that are not `GET` count only with the `Origin` of this service. The session may do what its key may, and ends when the key is revoked or expires, or loses `manage_organization`. A key has at most 10 sessions: the next one ends the oldest.',
    fields: {
      key: 'The API key. Give this or `link`.',
      link: 'What stands behind the `#` of a sign-in link.',
    },
    example: { body: { key: exampleIds.apiKeyText } },
  },
});

export type CreateSessionRequest = z.output<typeof endpoint.body>;
