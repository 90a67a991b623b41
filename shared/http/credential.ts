import { sessionIn } from './session-cookie.ts';

const bearer = /^Bearer +(\S+) *$/i;

/** `Authorization: Bearer <key>`, or else `x-api-key`, or else the console's session cookie, which represents a key. */
export function presentedCredential(
  headers: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const authorization = headers['authorization'];
  if (authorization === undefined) return headers['x-api-key'] ?? sessionIn(headers['cookie']);
  return bearer.exec(authorization)?.[1] ?? authorization;
}
