import { keyShownMs, sessionMs } from '#shared/access/sign-in';
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
    confirmedUntil:
      'Until when the session can create, rotate and widen API keys, in epoch milliseconds. In the past if its key was not shown lately.',
  },
  answers: {
    200: {
      description: 'The session.',
      example: {
        organization: { id: exampleIds.organization, name: 'Example Ltd' },
        keyId: exampleIds.apiKey,
        expiresAt: exampleTime + sessionMs,
        confirmedUntil: exampleTime + keyShownMs,
      },
    },
  },
} as const satisfies EndpointReference;
