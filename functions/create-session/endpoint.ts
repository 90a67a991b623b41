import * as z from 'zod/mini';
import { mostSignIns, sessionMs } from '#shared/access/sign-in';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds } from '#shared/tokens/example-values';

const credential = z.string().check(z.minLength(1), z.maxLength(200));

export const endpoint = defineEndpoint({
  route: 'POST /console/session',
  access: 'anybody',
  body: z
    .strictObject({
      key: z.optional(credential),
      link: z.optional(credential),
    })
    .check(
      z.refine(({ key, link }) => key !== undefined || link !== undefined, {
        error: 'must be given, or link in its place',
        path: ['key'],
      }),
      z.refine(({ key, link }) => key === undefined || link === undefined, {
        error: 'must not be given together with key: sign in with one of the two',
        path: ['link'],
      }),
    )
    .register(z.globalRegistry, { minProperties: 1, maxProperties: 1 }),
  answers: {
    204: {
      description: 'You are signed in. The cookie holds the session.',
      headers: ['Set-Cookie'],
    },
  },
  errors: ['invalid_api_key', 'missing_scope', 'link_not_found', 'concurrent_change'],
  lambda: { stack: 'Console', tableActions: ['GetItem'], signsIn: true, writesAudit: true },
  words: {
    section: 'Console',
    summary: 'Sign in to the console',
    description: `With an API key that has \`manage_organization\`, or with a sign-in link, which works once. The answer sets the cookie \`__Host-session\`: \`HttpOnly\`, \`Secure\`, \`SameSite=Strict\`, for ${sessionMs / 3_600_000} hours. The console’s requests carry it instead of the key. Requests other than \`GET\` count only with the \`Origin\` of this service. A session may do what its key may. It ends when the key is revoked, expires or loses \`manage_organization\`. A key has at most ${mostSignIns} sessions; the next one ends the oldest.`,
    fields: {
      key: 'The API key. Send this or `link`.',
      link: 'The part of a sign-in link after the `#`.',
    },
    example: { body: { key: exampleIds.apiKeyText } },
  },
});
