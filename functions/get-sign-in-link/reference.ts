import { linkMs } from '#shared/access/sign-in';
import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';

export const reference = {
  section: 'Console',
  summary: 'Look at a sign-in link',
  description:
    'Names the organization that the link signs in to, without using the link up. The console shows it before its button.',
  access: 'anybody',
  fields: {
    link: 'The part of a sign-in link after the `#`.',
    organization: 'The organization that the link signs in to.',
    name: 'The name of the organization.',
    expiresAt: 'When the link ends if it is not used, in epoch milliseconds.',
  },
  example: { body: { link: exampleIds.apiKeyText.replace('esk_', 'esl_') } },
  answers: {
    200: {
      description: 'The link can be used.',
      example: {
        organization: { id: exampleIds.organization, name: 'Example Ltd' },
        expiresAt: exampleTime + linkMs,
      },
    },
  },
  errors: ['link_not_found'],
} as const satisfies EndpointReference;
