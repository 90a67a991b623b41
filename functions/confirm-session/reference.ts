import { keyShownMs } from '#shared/access/sign-in';
import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds, exampleTime } from '#shared/openapi/example-values';

const minutes = keyShownMs / 60_000;

export const reference = {
  section: 'Console',
  summary: 'Show the API key in a session again',
  description: `For ${minutes} minutes the session can create, rotate and widen API keys. A session that began with a key counts as confirmed for its first ${minutes} minutes, one that began with a link does not. The answer sets a new cookie, and the old one ends.`,
  access: 'session',
  fields: {
    key: 'The API key that the session began with.',
    confirmedUntil: 'Until when the session can do that, in epoch milliseconds.',
  },
  example: { body: { key: exampleIds.apiKeyText } },
  answers: {
    200: {
      description: 'The session is confirmed.',
      headers: ['Set-Cookie'],
      example: { confirmedUntil: exampleTime + keyShownMs },
    },
  },
  errors: ['other_api_key', 'concurrent_change'],
} as const satisfies EndpointReference;
