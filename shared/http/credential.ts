const bearer = /^Bearer +(\S+) *$/i;

/**
 * Reads the API key that a request presents, as text: `Authorization: Bearer <key>`, else `x-api-key`.
 * `undefined` when it presents none.
 */
export function presentedCredential(
  headers: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const authorization = headers['authorization'];
  if (authorization === undefined) return headers['x-api-key'];
  return bearer.exec(authorization)?.[1] ?? authorization;
}
