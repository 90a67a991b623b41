import { sessionIn } from './session-cookie.ts';

const bearer = /^Bearer +(\S+) *$/i;

/**
 * Reads the API key that a request presents, as text: `Authorization: Bearer <key>`, else `x-api-key`, else the
 * session of the console in its cookie, which stands for a key. `undefined` when it presents none.
 */
export function presentedCredential(
  headers: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const authorization = headers['authorization'];
  if (authorization === undefined) return headers['x-api-key'] ?? sessionIn(headers['cookie']);
  return bearer.exec(authorization)?.[1] ?? authorization;
}
