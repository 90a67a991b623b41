import * as z from 'zod/mini';
import { linkMs } from '#shared/access/sign-in';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds, exampleTime } from '#shared/endpoints/example-values';

export const endpoint = defineEndpoint({
  route: 'POST /console/links',
  access: { key: 'required', scope: 'manage_organization' },
  answers: {
    201: {
      body: z.object({
        /** Below the address of the service. What stands behind `#` is sent to nobody until it is used. */
        path: z.string(),
        expiresAt: z.int(),
      }),
      description: 'The link. It is shown this once.',
      example: {
        path: `/console/sign-in#${exampleIds.apiKeyText.replace('esk_', 'esl_')}`,
        expiresAt: exampleTime + linkMs,
      },
    },
  },
  errors: ['concurrent_change'],
  lambda: { stack: 'Console', tableActions: ['GetItem'], signsIn: true, writesAudit: true },
  words: {
    section: 'Console',
    summary: 'Make a sign-in link',
    description: `A link to the console that signs in once, within ${linkMs / 60_000} minutes, as the key would. A session makes none. Give it to nobody who may not have the key. \`npm run manage -- console link\` prints it.`,
    fields: {
      path: 'The link, below the address of the service.',
      expiresAt: 'When the link ends if nobody uses it, in epoch milliseconds.',
    },
  },
});
