import * as z from 'zod/mini';
import { keyShownMs } from '#shared/access/sign-in';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';

const minutes = keyShownMs / 60_000;

export const endpoint = defineEndpoint({
  route: 'POST /console/session/confirm',
  access: 'session',
  body: z.strictObject({
    key: z.string().check(z.minLength(1), z.maxLength(200)),
  }),
  answers: {
    200: {
      body: z.object({ confirmedUntil: z.int() }),
      description: 'The session is confirmed.',
      headers: ['Set-Cookie'],
      example: { confirmedUntil: exampleTime + keyShownMs },
    },
  },
  errors: ['other_api_key', 'concurrent_change'],
  lambda: { stack: 'Console', tableActions: ['GetItem'], signsIn: true, writesAudit: true },
  words: {
    section: 'Console',
    summary: 'Confirm a session with its API key',
    description: `For ${minutes} minutes the session can create, rotate and widen API keys. A session that began with a key counts as confirmed for its first ${minutes} minutes; one that began with a link doesn’t. The answer sets a new cookie, and the old one stops working.`,
    fields: {
      key: 'The API key the session began with, or that made its link.',
      confirmedUntil: 'Until when the session can do that, in epoch milliseconds.',
    },
    example: { body: { key: exampleIds.apiKeyText } },
  },
});
