import * as z from 'zod/mini';
import { openSessionsIn, sessionMs, usedAtName } from '#shared/access/sign-in';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { pageSchema } from '#shared/table/list-position';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { sessionIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint(
  {
    route: 'GET /console/sessions',
    access: 'session',
    answers: {
      200: {
        body: pageSchema(
          z.object({
            id: sessionIdSchema,
            isCurrent: z.boolean(),
            device: z.optional(z.string()),
            begunWith: z.optional(z.string()),
            startedAt: z.optional(z.int()),
            lastUsedAt: z.optional(z.int()),
            expiresAt: z.int(),
          }),
        ),
        description: 'The sessions that are open.',
        example: {
          data: [
            {
              id: exampleIds.session,
              isCurrent: true,
              device: 'Firefox on Linux',
              begunWith: 'mail',
              startedAt: exampleTime,
              lastUsedAt: exampleTime,
              expiresAt: exampleTime + sessionMs,
            },
          ],
          nextCursor: null,
        },
      },
    },
    lambda: { stack: 'Console', tableActions: ['GetItem'] },
    words: {
      section: 'Console',
      summary: 'List your sessions',
      description:
        'In this organization, latest first: of the person who is signed in, or of everybody who signed in with the API key.',
      fields: {
        isCurrent: 'Whether it’s the session that asks.',
        device: 'The browser, by what it says of itself. Absent if the service doesn’t know it.',
        begunWith:
          '`mail` for a link that was mailed, `passkey`, `issuer` for the identity provider, `key` for an API key, `link` for a link made with one.',
        startedAt: 'When somebody signed in, in epoch milliseconds.',
        lastUsedAt: 'When it was last used, in epoch milliseconds, up to an hour behind.',
        expiresAt: 'When it ends, in epoch milliseconds.',
      },
    },
  },
  async ({ caller: { apiKey, session } }, { now }) => {
    const { signIns, sessionsUsedAt = {} } = apiKey;
    const open = openSessionsIn(signIns, now()).map((one) => {
      const { id, device, by, startedAt, expiresAt } = one;
      const lastUsedAt = sessionsUsedAt[usedAtName(one)];
      return {
        id,
        isCurrent: id === session.id,
        ...(device !== undefined && { device }),
        ...(by !== undefined && { begunWith: by }),
        ...(startedAt !== undefined && { startedAt }),
        ...(lastUsedAt !== undefined && { lastUsedAt }),
        expiresAt,
      };
    });
    return { data: open.reverse(), nextCursor: null };
  },
);
