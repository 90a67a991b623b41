import * as z from 'zod/mini';
import { linkMs } from '#shared/access/sign-in';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';

export const endpoint = defineEndpoint({
  route: 'POST /console/links',
  access: { key: 'required', scope: 'manage_organization' },
  answers: {
    201: {
      body: z.object({
        path: z.string(),
        expiresAt: z.int(),
      }),
      description: 'The link. You won’t see it again.',
      example: {
        path: `/console/sign-in#${exampleIds.apiKeyText.replace('esk_', 'esl_')}`,
        expiresAt: exampleTime + linkMs,
      },
    },
  },
  errors: ['concurrent_change', 'sign_in_link_limit_reached'],
  lambda: {
    stack: 'Console',
    tableActions: ['GetItem'],
    signsIn: true,
    writesAudit: true,
    countsInDay: true,
  },
  words: {
    section: 'Console',
    summary: 'Make a sign-in link',
    description: `The link signs in to the console once, within ${linkMs / 60_000} minutes, as the key would. A session can’t make one. Give it only to people who may have the key. \`npm run manage -- console link\` prints it.`,
    fields: {
      path: 'The path of the link, to follow the address of the service. Browsers don’t send the part after the `#`.',
      expiresAt: 'When an unused link stops working, in epoch milliseconds.',
    },
  },
});
