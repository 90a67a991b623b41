import * as z from 'zod/mini';
import { keyShownMs, sessionMs } from '#shared/access/sign-in';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds, exampleTime } from '#shared/endpoints/example-values';
import { apiKeyIdSchema, organizationIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint({
  route: 'GET /console/session',
  access: 'session',
  answers: {
    200: {
      body: z.object({
        organization: z.object({ id: organizationIdSchema, name: z.string() }),
        /** The key that the session was begun with. */
        keyId: apiKeyIdSchema,
        expiresAt: z.int(),
        /** Until when it may create, rotate and widen keys; in the past if its key was not shown lately. */
        confirmedUntil: z.int(),
      }),
      description: 'The session.',
      example: {
        organization: { id: exampleIds.organization, name: 'Example Ltd' },
        keyId: exampleIds.apiKey,
        expiresAt: exampleTime + sessionMs,
        confirmedUntil: exampleTime + keyShownMs,
      },
    },
  },
  lambda: { stack: 'Console', tableActions: ['GetItem'] },
  words: {
    section: 'Console',
    summary: 'Show who is signed in',
    description: 'For the console, by its cookie. An API key is no session.',
    fields: {
      organization: 'The organization of the session.',
      name: 'The name of the organization.',
      keyId: 'The API key that the session was begun with.',
      expiresAt: 'When the session ends, in epoch milliseconds.',
      confirmedUntil:
        'Until when the session can create, rotate and widen API keys, in epoch milliseconds. In the past if its key was not shown lately.',
    },
  },
});
