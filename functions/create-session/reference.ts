import type { EndpointReference } from '#shared/openapi/endpoint-reference';
import { exampleIds } from '#shared/openapi/example-values';

export const reference = {
  section: 'Console',
  summary: 'Sign in to the console',
  description:
    'With an API key that has `manage_organization`, or with a sign-in link, which works once. The answer sets the cookie `__Host-session`: `HttpOnly`, `Secure`, `SameSite=Strict`, for 12 hours. The browser sends it with what the console asks the API, in place of the key, and requests that are not `GET` count only with the `Origin` of this service. The session may do what its key may, and ends when the key is revoked or expires, or loses `manage_organization`. A key has at most 10 sessions: the next one ends the oldest.',
  access: 'anybody',
  fields: {
    key: 'The API key. Give this or `link`.',
    link: 'What stands behind the `#` of a sign-in link.',
  },
  example: { body: { key: exampleIds.apiKeyText } },
  answers: {
    204: {
      description: 'You are signed in. The session is in the cookie.',
      headers: ['Set-Cookie'],
    },
  },
  errors: ['invalid_api_key', 'missing_scope', 'link_not_found', 'concurrent_change'],
} as const satisfies EndpointReference;
