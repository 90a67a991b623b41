import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';

export const reference = {
  section: 'Console',
  summary: 'Show who is signed in',
  description: 'For the console, by its cookie. An API key is no session.',
  access: 'session',
  fields: {
    organization: 'The organization of the session.',
    name: 'The name of the organization.',
    keyId: 'The API key that the session was begun with.',
    expiresAt: 'When the session ends, in epoch milliseconds.',
  },
  answers: {
    200: {
      description: 'The session.',
      example: {
        organization: { id: exampleIds.organization, name: 'Example Ltd' },
        keyId: exampleIds.apiKey,
        expiresAt: exampleTime + 43_200_000,
      },
    },
  },
} as const satisfies EndpointReference;
