import * as z from 'zod/mini';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import {
  examplePasskey,
  passkeyViewSchema,
  passkeyWords,
  requirePasskeyOwner,
  toPasskeyView,
} from '#shared/passkeys/passkey';
import { readAccount } from '#shared/passkeys/passkey-store';

export const endpoint = defineEndpoint(
  {
    route: 'GET /console/passkeys',
    access: 'session',
    answers: {
      200: {
        body: z.object({ data: z.array(passkeyViewSchema) }),
        description: 'The passkeys, oldest first.',
        example: { data: [examplePasskey] },
      },
    },
    errors: ['person_required'],
    lambda: { stack: 'Console', tableActions: ['GetItem'] },
    words: {
      section: 'Console',
      summary: 'List your passkeys',
      description: 'Of the address that the person is signed in with, in every organization.',
      fields: { data: 'At most ten.', ...passkeyWords },
    },
  },
  async ({ caller }, { table, now }) => {
    const { passkeys } = await readAccount(table, requirePasskeyOwner(caller).email, now());
    return { data: passkeys.map(toPasskeyView) };
  },
);
