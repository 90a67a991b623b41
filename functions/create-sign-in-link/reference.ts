import { linkMs } from '#shared/access/sign-in';
import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';

export const reference = {
  section: 'Console',
  summary: 'Make a sign-in link',
  description: `A link to the console that signs in once, within ${linkMs / 60_000} minutes, as the key would. A session makes none. Give it to nobody who may not have the key. \`npm run manage -- console link\` prints it.`,
  access: { key: 'required', scope: 'manage_organization' },
  fields: {
    path: 'The link, below the address of the service.',
    expiresAt: 'When the link ends if nobody uses it, in epoch milliseconds.',
  },
  answers: {
    201: {
      description: 'The link. It is shown this once.',
      example: {
        path: `/console/sign-in#${exampleIds.apiKeyText.replace('esk_', 'esl_')}`,
        expiresAt: exampleTime + linkMs,
      },
    },
  },
  errors: ['concurrent_change'],
} as const satisfies EndpointReference;
