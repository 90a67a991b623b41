import * as z from 'zod/mini';
import { linkMs } from '#shared/access/sign-in';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { organizationIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint({
  route: 'POST /console/links/look',
  access: 'anybody',
  body: z.strictObject({
    link: z.string().check(z.minLength(1), z.maxLength(200)),
  }),
  answers: {
    200: {
      body: z.object({
        organization: z.object({ id: organizationIdSchema, name: z.string() }),
        expiresAt: z.int(),
      }),
      description: 'The link works.',
      example: {
        organization: { id: exampleIds.organization, name: 'Example Ltd' },
        expiresAt: exampleTime + linkMs,
      },
    },
  },
  errors: ['link_not_found'],
  lambda: { stack: 'Console', tableActions: ['GetItem'] },
  words: {
    section: 'Console',
    summary: 'Look at a sign-in link',
    description:
      'Names the organization that the link signs in to. The link stays usable. The console shows it above its button.',
    fields: {
      link: 'The part of a sign-in link after the `#`.',
      organization: 'The organization that the link signs in to.',
      name: 'The name of the organization.',
      expiresAt: 'When the link stops working if nobody uses it, in epoch milliseconds.',
    },
    example: { body: { link: exampleIds.apiKeyText.replace('esk_', 'esl_') } },
  },
});
